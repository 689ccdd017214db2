import path from 'node:path';
import * as sqlite from 'node:sqlite';
import { createService } from '../../../src/localService/service.ts';
import type { Service, ServiceSettings } from '../../../src/localService/service.ts';
import { openDatabase } from '../../../src/localService/store/database.ts';
import type { Database } from '../../../src/localService/store/database.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';
import type { TemporaryFolder } from '../../support/temporaryFolder.ts';

interface Answered {
  readonly status: number;
  readonly body: { readonly [field: string]: unknown };
}

/** The service without a process and a port, on a data folder of its own. */
export class ServiceInProcess {
  readonly folder: TemporaryFolder;
  /** The path of the database. */
  readonly file: string;
  /** What was reported since the last start. */
  errors: string[] = [];
  #database: Database | undefined;
  #service: Service | undefined;

  static async create(): Promise<ServiceInProcess> {
    return new ServiceInProcess(await temporaryFolder());
  }

  constructor(folder: TemporaryFolder) {
    this.folder = folder;
    this.file = path.join(folder.path, 'service.sqlite');
  }

  get service(): Service {
    if (this.#service === undefined) throw new Error('The service is stopped.');
    return this.#service;
  }

  get database(): Database {
    if (this.#database === undefined) throw new Error('The service is stopped.');
    return this.#database;
  }

  /** Opens the database, without moving revisions yet. */
  open(settings: Partial<ServiceSettings> = {}): Service {
    this.errors = [];
    this.#database = openDatabase(sqlite, this.file);
    this.#service = createService(this.database, {
      dataFolder: this.folder.path,
      git: undefined,
      stepMilliseconds: 1000,
      sample: false,
      apiKey: 'key',
      onError: (error) => this.errors.push(String(error)),
      onStop: () => {},
      ...settings,
    });
    return this.#service;
  }

  async stop(): Promise<void> {
    await this.#service?.stop();
    this.#database?.close();
    [this.#service, this.#database] = [undefined, undefined];
  }

  /** Stops it and removes its folder. */
  async remove(): Promise<void> {
    await this.stop();
    await this.folder.remove();
  }

  async ask(route: string, body?: object, init: RequestInit = {}): Promise<Answered> {
    const response = await this.service.app.request(`http://127.0.0.1${route}`, {
      headers: { host: '127.0.0.1', 'x-api-key': 'key', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      ...init,
    });
    return { status: response.status, body: (await response.json()) as Answered['body'] };
  }

  /** Creates a deployment from an image, whose build needs nothing else. */
  async deploy(name = 'agent'): Promise<{ readonly id: string; readonly latest_revision_id: string }> {
    const source = { source: 'external_docker', source_revision_config: { image_uri: 'registry.example/agent:1' } };
    const { body } = await this.ask('/v2/deployments', { name, source_config: {}, secrets: [], ...source });
    return body as { id: string; latest_revision_id: string };
  }
}
