// Serves the answers that take a client longest, in a process of its own, so only the client's work is measured.
// The first part of a path names the answer. Prints its address and the names as one line and ends with its standard input.
import { once } from 'node:events';
import * as http from 'node:http';
import { gzipSync } from 'node:zlib';

/** The client's limits, as its sources have them, but for the few bytes around. */
const MOST_BYTES = 8 * 1024 * 1024 - 1000;
const MOST_VALUES = 100_000 - 1000;

const many = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join();
const row = (members: string): string => `{"resources":[{"id":"1","name":"a",${members}}],"offset":0}`;
const filled = (unit: string): string => unit.repeat(Math.floor(MOST_BYTES / unit.length));
/** Rows of a list without pages, or of a page, with members that no other row has. */
const rows = (count: number, first: string, members: number): string =>
  `[${many(count, (index) => `{${first},${many(members, (each) => `"${index}k${each}":0`)}}`)}]`;

interface Answer {
  readonly status?: number;
  readonly body: string;
  /** The size of each chunk. Compressed as one if it is missing. */
  readonly chunk?: number;
}

const answers: Readonly<Record<string, Answer>> = {
  'empty rows': { body: `[${many(10_000, () => '{}')}]` },
  'wrong rows, all of their members different': { body: rows(10_000, '"id":"1","name":0', 6) },
  'rows, all of their members different': { body: rows(10_000, '"id":"1","name":"a"', 6) },
  'a page of wide rows': { body: `{"resources":${rows(100, '"id":"1","name":"a"', 970)},"offset":0}` },
  'wide objects in a free form': {
    body: row(`"source_config":{"resource_spec":{"labels":${rows(49, '"a":"b"', 1990)}}}`),
  },
  'names that are numbers': {
    body: `{"resources":[${many(2, (index) => `{${many(1990, (each) => `"${4_294_967_296 + (index * 1990 + each) * 1_048_576}":0`)}}`)}],"offset":0}`,
  },
  'texts of digits': {
    body: row(`"secrets":[${many(5000, (index) => `"${((index + 100) * 131_072) % 1_073_741_824}"`)}]`),
  },
  'short texts': { body: row(`"secrets":[${many(MOST_VALUES, (index) => `"${(index * 64) % 16_777_216}"`)}]`) },
  'many secrets': { body: row(`"secrets":[${many(MOST_VALUES / 2 - 10, (index) => `{"name":"s${index}"}`)}]`) },
  'a name of escapes': { body: row(`"name":"${filled(String.raw`\u00e9`)}"`) },
  'a name of wide characters': { body: row(`"name":"${'é'.repeat(MOST_BYTES / 2)}"`) },
  'a long reason': { body: row(`"status_message":"${filled('https://u:p@h/?key=v ')}"`) },
  'a hundred long reasons': {
    body: `{"resources":[${many(100, (index) => `{"id":"${index}","status_message":"${'https://u:p@h/?key=v '.repeat(3900)}"}`)}],"offset":0}`,
  },
  'a long error': { status: 400, body: `{"detail":"${filled('password=x,token: y ')}"}` },
  'rejected fields': {
    status: 422,
    body: `{"detail":[${many(100, () => `{"loc":["body",${many(900, String)}],"msg":"${'Bearer x '.repeat(8000)}"}`)}]}`,
  },
  blanks: { body: `${' '.repeat(MOST_BYTES)}[]` },
  'chunks of one byte': { body: `${' '.repeat(100_000)}[]`, chunk: 1 },
};

const packed = new Map(Object.entries(answers).map(([name, { body }]) => [name, gzipSync(body)]));

const server = http.createServer((request, response) => void answer(request.url ?? '', response));

async function answer(url: string, response: http.ServerResponse): Promise<void> {
  const [, name = ''] = url.split('/');
  const { status = 200, body, chunk } = answers[decodeURIComponent(name)] ?? { body: '' };
  if (chunk === undefined) {
    response.writeHead(status, { 'content-encoding': 'gzip' }).end(packed.get(decodeURIComponent(name)));
    return;
  }
  response.writeHead(status);
  for (let at = 0; at < body.length; at += chunk) {
    if (!response.write(body.slice(at, at + chunk))) await once(response, 'drain');
  }
  response.end();
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null)
    console.log(JSON.stringify({ url: `http://127.0.0.1:${address.port}`, names: Object.keys(answers) }));
});
process.stdin.resume().on('end', () => process.exit());
