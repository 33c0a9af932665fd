import { CallError, toast } from '@kit/web'

const UNREACHABLE = '网络异常，请检查网络'
const BROKEN = 500

/** The sentence for a call that was refused or had no answer. */
export function refusalText(cause: unknown): string {
  return cause instanceof CallError && cause.msg !== '' ? cause.msg : UNREACHABLE
}

/** True when the same call may succeed later: no answer, a broken or a busy server. */
export function isPassing(cause: unknown): boolean {
  return !(cause instanceof CallError) || cause.status === 0 || cause.status >= BROKEN
}

/** Says a missing answer, about which `call` is silent because the console has a strip for it: a drawer covers the strip. */
export function sayUnreachable(cause: unknown): void {
  if (!(cause instanceof CallError) || cause.msg === '') toast.error(UNREACHABLE)
}
