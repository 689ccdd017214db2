import { request as httpRequest } from 'node:http';
import type { Fault } from '../../support/faultServer.ts';

/**
 * Passes requests without a body on to a service, so that a fault server in front of it can behave well for a while.
 */
export function passTo(serviceUrl: string): Fault {
  return (response, request) => {
    const { method, headers } = request;
    const onward = httpRequest(`${serviceUrl}${request.url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    onward.end();
  };
}
