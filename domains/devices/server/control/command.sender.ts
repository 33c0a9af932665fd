import { brokerPort } from '@kit/server/mqtt'
import type { Reply, ReplyUp } from '@kit/terminal-protocol'
import { codes, doorRequest, vf105Driver } from '@kit/terminal-protocol/vf105'
import type { Session, Sessions } from '../link/sessions.ts'
import { followTime } from '../link/set-clock.ts'
import { pump, say } from '../sync/sender.ts'
import { endCommands, settleCommand, takeWaiting } from './command.queries.ts'

/** How long an answer may take after the command's end before nobody waits for it. */
const patience_ms = 5000
const most_text = 200

/** Sends what waits for the device of a session. Commands go beside the rows that are on their way: a person waits for them. */
export async function sendCommands(sessions: Sessions, session: Session): Promise<void> {
  if (session.epoch === null || !session.device) return
  const waiting = await sessions.inLine(session, ({ db, school_id, device_id, now }) => takeWaiting(db, { school_id, device_id }, now))
  if (session.device.driver === 'vf105') return sendToVf105(sessions, session, waiting ?? [])
  for (const { command_id, command, args, expires_at } of waiting ?? []) say(sessions, session, 'cmd', { type: 'cmd', id: command_id, body: { name: command, args, expires_at } })
}

/** A VF105 is told by requests of its own; its answer names the command by its serial. */
function sendToVf105(sessions: Sessions, session: Session, waiting: readonly { command_id: string; command: string }[]): void {
  const { prefix } = brokerPort.one(sessions.app)
  for (const { command_id, command } of waiting) {
    const request = doorRequest(command)
    if (!request) continue
    session.down_seq += 1
    const stamp = { id: command_id, seq: session.down_seq, epoch: session.epoch ?? '', at: sessions.app.clock.now().toISOString(), prefix, client_id: session.client_id }
    const { topic, bytes } = vf105Driver.encode({ ...request, stamp })
    sessions.send(session, topic, Buffer.from(bytes))
  }
  beginProbe(sessions, session, waiting.findLast(one => one.command === 'probe')?.command_id)
}

/** An answer of a VF105 that may be one to a command. @returns whether it was */
export async function hearVf105Reply(sessions: Sessions, session: Session, { re, action, code, message }: Reply): Promise<boolean> {
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/u.exec(re)
  if (!parts || (action !== 'control' && action !== 'setConfig')) return false
  const said = { command_id: parts.slice(1).join('-'), code: code === codes.ok ? 'ok' : code, text: message === '' || code === codes.ok ? null : message.slice(0, most_text) }
  return (await sessions.inLine(session, ({ db, school_id, device_id, now }) => settleCommand(db, { school_id, device_id }, { ...said, now }))) !== undefined
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
