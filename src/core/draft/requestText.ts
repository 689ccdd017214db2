import { keyPlaceholder, type DescribedRequest } from '../../api/http/http.ts';

/** A request as the text of a document: method, address and headers as comments, then the body as JSON. */
export function requestText({ method, url, headers, body }: DescribedRequest): string {
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return `${lines.map((line) => `// ${line}\n`).join('')}\n${requestJson({ body })}`;
}

/** The body of a request as JSON in lines. */
export function requestJson({ body }: Pick<DescribedRequest, 'body'>): string {
  const content: unknown = JSON.parse(body);
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

/** A request as a command for a shell, which takes the API key from its environment. */
export function requestCurl({ method, url, headers, body }: DescribedRequest): string {
  const parts = [
    `curl --request ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${quotedHeader(`${name}: ${value}`)}`),
    `--data ${quoted(body)}`,
  ];
  return `${parts.join(' \\\n  ')}\n`;
}

/** Quotes a text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Quotes a header. The shell puts the key in place of its placeholder, so only that stays open. */
function quotedHeader(header: string): string {
  if (!header.endsWith(keyPlaceholder)) return quoted(header);
  const before = header.slice(0, -keyPlaceholder.length).replaceAll(/["\\$`]/g, String.raw`\$&`);
  return `"${before}${keyPlaceholder}"`;
}
