import type { ReplyUp } from '@kit/terminal-protocol'
import type { Session, Sessions } from '../link/sessions.ts'
import { followTime } from '../link/set-clock.ts'
import { pump, say } from '../sync/sender.ts'
import { endCommands, settleCommand, takeWaiting } from './command.queries.ts'

/** How long an answer may take after the command's end before nobody waits for it. */
const patience_ms = 5000

/** Sends what waits for the device of a session. Commands go beside the rows that are on their way: a person waits for them. */
export async function sendCommands(sessions: Sessions, session: Session): Promise<void> {
  if (session.epoch === null || !session.device) return
  const waiting = await sessions.inLine(session, ({ db, school_id, device_id, now }) => takeWaiting(db, { school_id, device_id }, now))
  if (session.device.driver === 'vf105') return beginProbe(sessions, session, waiting?.at(-1)?.command_id)
  for (const { command_id, command, args, expires_at } of waiting ?? []) say(sessions, session, 'cmd', { type: 'cmd', id: command_id, body: { name: command, args, expires_at } })
}

/** Begins to ask a device what it takes; asked for again meanwhile it goes on with what it knows. */
function beginProbe(sessions: Sessions, session: Session, command_id: string | undefined): void {
  if (command_id === undefined) return
  session.probe = { command_id, said: session.probe?.said ?? [] }
  void pump(sessions, session)
}

/** An answer that may be one to a command. @returns whether it was */
export async function hearReply(sessions: Sessions, session: Session, re: string | undefined, { code, text }: ReplyUp): Promise<boolean> {
  if (re === undefined || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(re) || session.in_flight?.id === re) return false
  const command = await sessions.inLine(session, ({ db, school_id, device_id, now }) => settleCommand(db, { school_id, device_id }, { command_id: re, code, text: text ?? null, now }))
  if (command === 'time') await followTime(sessions, session, { code, text })
  return command !== undefined
}

/** Ends what nobody waits for any more, in every school that has devices: the last one of a school may have gone in the middle of a command. */
export async function endOldCommands(sessions: Sessions): Promise<void> {
  const now = sessions.app.clock.now()
  const schools = await sessions.tenant(0, db => db.selectFrom('device_client').select('school_id').distinct().execute())
  for (const { school_id } of schools) await sessions.tenant(school_id, db => endCommands(db, school_id, now, patience_ms))
}
