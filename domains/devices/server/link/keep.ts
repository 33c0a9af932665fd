import type { Boot } from '@kit/server/http'
import { brokerPort, outsidePort } from '@kit/server/mqtt'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { askShot } from '../camera/shot.sender.ts'
import { endOldCommands, sendCommands } from '../control/command.sender.ts'
import { judgeTrials } from '../config/trial.ts'
import { runTasks } from '../firmware/run.ts'
import { notice_channel, readNotice } from '../notice.ts'
import { devicesOfLastWeek } from '../rule/rule.plan.ts'
import { dueRules } from '../sync/due.ts'
import { Preparer } from '../photo/preparer.ts'
import { Planner } from '../sync/planner.ts'
import { tellRevoked } from '../sync/revoked.ts'
import { waitingDevices } from '../sync/rows.queries.ts'
import { dropInFlight, pump } from '../sync/sender.ts'
import { raiseOfflineAlarms } from '../event/offline-alarm.ts'
import { askTonight } from '../proof/proof.queries.ts'
import { deleteOldForeign } from '../setting/foreign.run.ts'
import { takeOffline } from './link.write.ts'
import { confirmSchool, endConfirming, endSilent, lastHeard, schoolsOf } from './outage.ts'
import { sessionsPort } from './sessions.ts'
import type { Sessions } from './sessions.ts'

/** Three heartbeats and a bit: whoever was not heard of for that long, by any node, is gone (chapter 30 §2.2). */
const silent_ms = 100_000
const [flush_ms, sweep_ms] = [10_000, 30_000]
/** What is told of the time that is left is no older than this. */
const pace_ms = 2000
/** Notices may be missed and times come: what is due is looked for this often too. */
const look_ms = 5000

/** Keeps what the registry says of lines true: heartbeats are written together, silent devices go offline, notices of other nodes are followed. */
export async function keepLines({ app, database }: Boot): Promise<() => Promise<void>> {
  const sessions = sessionsPort.one(app)
  const now = () => app.clock.now()
  const started = now()
  // Alone on its database, the server knows that nobody is connected yet.
  await confirmAll(sessions, database.engine === 'pglite' ? started : new Date(started.getTime() - silent_ms))
  const planner = new Planner(sessions)
  const preparer = new Preparer(sessions.desk)
  const kick = (client_id: string) => brokerPort.one(app).kick(client_id)
  const stopListening = await database.listen(notice_channel, {
    heard(payload) {
      const notice = readNotice(payload)
      if (!notice) return
      notice.kick?.forEach(kick)
      if (notice.left !== undefined) for (const outside of outsidePort.all(app)) outside.left(notice.left)
      if (notice.taken && notice.taken.node !== sessions.node && sessions.of(notice.taken.client_id)) giveAway(sessions, notice.taken.client_id)
      if (notice.plan) {
        planner.wake(notice.school_id)
        preparer.wake(notice.school_id)
      }
      if (notice.watched !== undefined) sessions.wire.watch({ school_id: notice.school_id, device_id: notice.watched })
      if (notice.command !== undefined) commandThese(sessions, notice.school_id, notice.command)
      if (notice.shot) shootThese(sessions, notice.school_id, notice.shot)
      if (notice.send) pumpThese(sessions, notice.school_id, new Set(notice.send))
    },
    missed: () => void recheck(sessions, kick),
  })
  const warn = (error: unknown) => app.log.warn({ err: error }, 'lines of devices were not kept')
  const flushing = setInterval(() => void sessions.flush().catch(warn), flush_ms).unref()
  const pacing = setInterval(() => void sessions.flushPaces().catch(warn), pace_ms).unref()
  const looking = setInterval(() => {
    void look(sessions, planner, preparer).catch(warn)
  }, look_ms).unref()
  const sweeping = setInterval(() => void Promise.all([sweep(sessions, new Date(now().getTime() - silent_ms)), endSilent(sessions), endConfirming(sessions), endOldCommands(sessions), askNight(sessions), endForeign(sessions), askWeek(sessions), tellSilence(sessions, started)]).catch(warn), sweep_ms).unref()
  return async () => {
    clearInterval(flushing)
    clearInterval(pacing)
    clearInterval(sweeping)
    clearInterval(looking)
    await stopListening()
    await Promise.all([planner.settled(), preparer.settled()])
    await sessions.settled()
    await sessions.flush().catch(warn)
  }
}

/** What is due is derived and sent, though nobody has told of it: one question a school, however many of its devices are here. */
async function look(sessions: Sessions, planner: Planner, preparer: Preparer): Promise<void> {
  for (const school_id of new Set(sessions.all().map(session => session.school_id))) {
    planner.wake(school_id)
    preparer.wake(school_id)
    await goOn(sessions, school_id)
    pumpThese(sessions, school_id, new Set(await sessions.tenant(school_id, db => waitingDevices(db, school_id, sessions.app.clock.now()))))
  }
}

/** The server begins: whoever was there is being confirmed. Its own absence is told of where it was longer than a silence. */
async function confirmAll(sessions: Sessions, before: Date): Promise<void> {
  const now = sessions.app.clock.now()
  for (const { school_id } of await schoolsOf(sessions)) {
    const heard = await sessions.tenant(school_id, db => lastHeard(db, school_id))
    if (heard) await confirmSchool(sessions, school_id, { since: heard, before, told: now.getTime() - heard.getTime() <= silent_ms })
  }
}

/** Trials of settings that are over, tasks that bring firmware and what was taken back; the last device of a school may be gone in the middle of each. */
async function goOn(sessions: Sessions, school_id: number): Promise<void> {
  await sessions.tenant(school_id, async db => {
    const desk = { app: sessions.app, db, school_id, now: sessions.app.clock.now() }
    await judgeTrials(desk)
    await runTasks(desk)
    await tellRevoked(desk, null)
  })
}

/** Takes those offline that were last heard of before a moment and are not on this node. */
async function sweep(sessions: Sessions, before: Date): Promise<void> {
  const { app } = sessions
  const here = new Set(sessions.all().flatMap(({ school_id, device }) => (device ? [`${school_id} ${device.device_id}`] : [])))
  for (const { school_id } of await schoolsOf(sessions)) {
    await goOn(sessions, school_id)
    const silent = await sessions.tenant(school_id, db => silentDevices(db, school_id, before))
    for (const { device_id } of silent.filter(one => !here.has(`${school_id} ${one.device_id}`))) {
      await sessions.tenant(school_id, db => takeOffline({ app, db, school_id, device_id, now: app.clock.now() }, 'broker'))
    }
  }
}

/** At night every device is read back, school by school. */
async function askNight(sessions: Sessions): Promise<void> {
  for (const school_id of new Set(sessions.all().map(session => session.school_id))) await sessions.tenant(school_id, db => askTonight(db, school_id, sessions.app.clock.now()))
}

/** What nobody has decided on for a day goes from devices where the school has said so. */
async function endForeign(sessions: Sessions): Promise<void> {
  const { app } = sessions
  for (const { school_id } of await schoolsOf(sessions)) await sessions.tenant(school_id, db => deleteOldForeign({ app, db, school_id, now: app.clock.now() }))
}

/** Every Monday devices are told the days of another week (chapter 30 rule 19). */
async function askWeek(sessions: Sessions): Promise<void> {
  const now = sessions.app.clock.now()
  for (const school_id of new Set(sessions.all().map(session => session.school_id))) await sessions.tenant(school_id, async db => dueRules({ db, school_id, now }, await devicesOfLastWeek(db, school_id, now)))
}

/** Whoever has not been heard of for a while is told of; while the broker is away that is nobody's silence. */
async function tellSilence(sessions: Sessions, started: Date): Promise<void> {
  const { app, outage } = sessions
  if (outage?.until === null) return
  const listening_since = outage?.until ?? started
  for (const { school_id } of await schoolsOf(sessions)) await sessions.tenant(school_id, db => raiseOfflineAlarms({ app, db, school_id, now: app.clock.now() }, listening_since))
}

function silentDevices(db: Db, school_id: number, before: Date) {
  return db.selectFrom('device').select('device_id').where('school_id', '=', school_id).where('online', '=', true).where('confirming_since', 'is', null).where('parent_device_id', 'is', null).where('last_seen_at', '<=', before).execute()
}

/** A client has come to another node: its line here is over, and the device is not. */
function giveAway(sessions: Sessions, client_id: string): void {
  const session = sessions.close(client_id)
  if (session) void sessions.queue(client_id, () => dropInFlight(sessions, session))
  brokerPort.one(sessions.app).kick(client_id)
}

/** Sends what waits for a device, if its line is here. */
function commandThese(sessions: Sessions, school_id: number, device_id: string): void {
  for (const session of sessions.all()) if (session.school_id === school_id && session.device?.device_id === device_id) void sessions.queue(session.client_id, () => sendCommands(sessions, session))
}

/** Asks a recorder for a picture, if its line is here. */
function shootThese(sessions: Sessions, school_id: number, { recorder_id, camera_id }: { recorder_id: string; camera_id: string }): void {
  for (const session of sessions.all()) if (session.school_id === school_id && session.device?.device_id === recorder_id) void sessions.queue(session.client_id, () => askShot(sessions, session, camera_id))
}

function pumpThese(sessions: Sessions, school_id: number, device_ids: ReadonlySet<string>): void {
  for (const session of sessions.all()) if (session.school_id === school_id && session.device && device_ids.has(session.device.device_id)) void pump(sessions, session)
}

/** What other nodes have said may have been missed: whoever may not come in any more is sent away. */
async function recheck(sessions: Sessions, kick: (client_id: string) => void): Promise<void> {
  const ids = sessions.all().flatMap(({ client_id, device }) => (device ? [client_id] : []))
  const { rows } = await sessions.tenant(0, db => sql<{ client_id: string }>`select client_id from device_client where client_id = any(${ids}::text[]) and revoked_at is not null`.execute(db))
  for (const { client_id } of rows) kick(client_id)
}
