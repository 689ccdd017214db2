// Serves pages of deployments from memory, in a process of its own, so only the client's work is measured.
// Prints its address as one line and ends with its standard input.
import * as http from 'node:http';
import { deployment } from '../unit/api/samples.ts';

const ROWS = 10_000;
const PAGE = 100;

const pages = Array.from({ length: ROWS / PAGE }, (_, page) => {
  const resources = Array.from({ length: PAGE }, (_, row) => ({
    ...deployment,
    id: String(page * PAGE + row),
  }));
  return Buffer.from(JSON.stringify({ resources, offset: (page + 1) * PAGE }));
});
const end = Buffer.from(JSON.stringify({ resources: [], offset: ROWS }));

const server = http.createServer((request, response) => {
  const offset = Number(new URL(request.url ?? '/', 'http://localhost').searchParams.get('offset'));
  const page = pages[offset / PAGE] ?? end;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': page.length });
  response.end(page);
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) console.log(`http://127.0.0.1:${address.port}`);
});
process.stdin.resume().on('end', () => process.exit());
