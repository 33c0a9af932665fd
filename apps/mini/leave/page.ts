import type { CallOf, Live } from '../shell/session.ts'
import type { leave } from './app.ts'

/** Calls of the manifest; another one does not compile. */
export type LeaveCall = CallOf<(typeof leave)['calls']>

/** What every page has: who it is for, how to call, and a word to the user. */
export type LeavePage = { live: Live; call: LeaveCall; say: (msg: string) => void }
