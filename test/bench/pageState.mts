import type { PageDeployment, PageField, PageState } from '../../src/ui/deploy/page/protocol.ts';
import { fullSpecText } from './fullSpec.mts';

const keys = {
  main: ['name', 'connection', 'source', 'repository', 'ref', 'config', 'type'],
  options: ['build_on_push', 'custom_url', 'listener', 'namespace', 'install_command', 'build_command'],
};

/** What the page shows of a file with so many deployments, each with findings, secrets and every group of resources. */
export function fullPageState(count: number): PageState {
  return {
    version: 1,
    applied: 0,
    title: 'Deploy agents.deployment-spec.yaml',
    lock: '',
    ...(count > 1 && { shared: group('shared', 'main') }),
    deployments: Array.from({ length: count }, (_, index) => deployment(index)),
    deploy: { id: 'bar/deploy', label: 'Deploy' },
    words: `${count} to deploy`,
    buttons: [{ id: 'bar/request', label: 'Show Request' }],
  };
}

function deployment(index: number): PageDeployment {
  const button = { id: `${index}/fix`, label: 'Fetch from origin' };
  const names = Array.from({ length: 10 }, (_, row) => `SECRET_${row}`);
  const rows = names.map((name) => ({ name, from: 'this window', state: 'set', isMissing: false, buttons: [button] }));
  return {
    number: index,
    title: `app-${index}`,
    facts: ["The service doesn't read .env.", 'Creates a tracing project with this name.'],
    isChecking: false,
    findings: (['name', 'ref', 'config'] as const).map((key) => ({
      severity: 'warning',
      message: `Look at ${key} again.`,
      key,
      buttons: [button],
    })),
    groups: [group('main', 'main'), group('options', 'options')],
    tables: [{ id: 'secrets', title: 'Secrets', summary: '10 set', rows, buttons: [button] }],
    resources: { summary: '1 replica', text: fullSpecText, flavor: 'standard', starts: [] },
    buttons: [button],
  };
}

function group(id: string, of: keyof typeof keys) {
  return { id, title: id, summary: keys[of].join(' · '), isOpen: true, fields: keys[of].map(field) };
}

function field(key: string): PageField {
  const pick = { id: `pick/${key}`, label: 'Choose…' };
  return {
    key,
    label: key,
    help: `The ${key}.`,
    value: key,
    usual: '',
    from: 'found',
    options: [],
    isLocked: false,
    pick,
  };
}
