import { maskName } from '@kit/contract/checks'
import { PersonBody } from '@kit/terminal-protocol'
import type { Shown } from '@kit/terminal-protocol/console'
import { z } from 'zod'
import type { TerminalStore } from '../jdev/store.ts'

/** VERIFY_MODE, as a word. */
const ways: Readonly<Record<number, string>> = { 1: 'face', 2: 'card', 3: 'qr', 4: 'id_card', 5: 'password', 6: 'finger' }
const Pass = z.object({ at: z.string(), verify: z.number().catch(0), result: z.number(), reason: z.string().catch(''), user_id: z.string().optional() })

/** A pass for whoever looks at the terminal: whose it was, how he came, what became of it. Nobody whom it does not hold has a name. */
export function shownOf(store: TerminalStore, pass: unknown, is_masked = false): Shown {
  const { at, verify, result, reason, user_id } = Pass.parse(pass)
  const name = user_id === undefined ? '' : (PersonBody.safeParse(store.held('person').get(user_id)?.body).data?.name ?? '')
  return { at, name: is_masked ? maskName(name) : name, way: ways[verify] ?? '', result, reason }
}
