import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** One measurement: what it is called on the command line, and how it is done. */
interface Bench {
  readonly name: string;
  readonly run: (print: (line: string) => void) => Promise<void>;
}

await main(process.argv.slice(2));

/** Runs the named measurements, or all of them, one after the other. A name may be the beginning of one. */
async function main(names: readonly string[]): Promise<void> {
  const benches = await loadBenches();
  const known = (wanted: string) => benches.filter(({ name }) => name.toLowerCase().startsWith(wanted.toLowerCase()));
  const unknown = names.filter((name) => known(name).length === 0);
  if (unknown.length > 0) {
    console.error(`There is no bench ${unknown.join(', ')}. There are: ${benches.map(({ name }) => name).join('; ')}.`);
    process.exitCode = 2;
    return;
  }
  for (const bench of names.length === 0 ? benches : names.flatMap(known)) {
    console.log(`\n${bench.name}`);
    await bench.run((line) => console.log(`  ${line}`));
  }
}

async function loadBenches(): Promise<Bench[]> {
  const files = (await readdir(import.meta.dirname)).filter((file) => file.endsWith('.bench.mts'));
  return Promise.all(files.toSorted().map((file): Promise<Bench> => import(path.join(import.meta.dirname, file))));
}
