import type { CallOf, Live } from '../shell/session.ts'
import type { hall } from './app.ts'

/** Calls of the hall's manifest; another one does not compile. */
export type HallCall = CallOf<(typeof hall)['calls']>

/** What the tabs lead to; `cards`, `faces`, `elective`, `timetable`, `scores` and `duties` are opened from 我的. */
export type Tab = 'home' | 'catalogue' | 'inbox' | 'mine' | 'cards' | 'faces' | 'elective' | 'timetable' | 'scores' | 'duties'

/** What every page of the hall has: who it is for, how to call, where to go, and a word to the user. */
export type HallPage = { live: Live; call: HallCall; unread: number; onRead: () => void; go: (tab: Tab) => void; say: (msg: string) => void }
