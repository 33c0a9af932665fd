import type { CallOf, Live } from '../shell/session.ts'
import type { pushMessage } from './app.ts'

/** Calls of the manifest; another one does not compile. */
export type PushCall = CallOf<(typeof pushMessage)['calls']>

/** What every page has: who it is for, how to call, and a word to the user. */
export type PushPage = { live: Live; call: PushCall; say: (msg: string) => void }
