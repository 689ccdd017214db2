import { readdirSync, readFileSync } from 'node:fs';

/** Whether a process is running. One that has ended but that its parent has not yet asked about is not. */
export function isRunning(pid: number): boolean {
  return exists(pid) && (process.platform !== 'linux' || stateOf(pid)?.running === true);
}

/** Whether any process of a process group is running. There are no groups on Windows. */
export function isGroupRunning(group: number): boolean {
  if (process.platform === 'win32' || !exists(-group)) return false;
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((name) => {
    const state = /^\d+$/.test(name) ? stateOf(Number(name)) : undefined;
    return state?.running === true && state.group === group;
  });
}

/** The signal 0 only asks whether there is somebody to receive it. */
function exists(target: number): boolean {
  try {
    return process.kill(target, 0);
  } catch {
    return false;
  }
}

/** Reads what Linux tells of a process: `PID (NAME) STATE PARENT GROUP …`, where the name may hold anything. */
function stateOf(pid: number): { running: boolean; group: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, , group] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { running: state !== 'Z' && state !== 'X', group: Number(group) };
  } catch {
    return undefined;
  }
}
