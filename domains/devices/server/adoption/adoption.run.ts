import { adoption_steps, adoptionSteps, factory_console_password, groupOf, otherFields, readStep, vf105Driver } from '@kit/terminal-protocol/vf105'
import type { AdoptionStep } from '@kit/terminal-protocol/vf105'
import { configKeys } from '@kit/terminal-protocol'
import type { Reply, Request } from '@kit/terminal-protocol'
import { brokerPort } from '@kit/server/mqtt'
import { randomInt } from 'node:crypto'
import { readDesired } from '../config/config.plan.ts'
import type { Line } from '../link/line.ts'
import type { Session } from '../link/sessions.ts'
import { passwordState, putPassword, readPasswords } from '../password/password.queries.ts'
import { openPassword, openSecret } from '../sealed-parts.ts'
import { lockPlan } from '../sync/planner.ts'
import { urgentIsDue } from '../sync/rows.queries.ts'
import { advance, beginAdoption, countTry, noteTrouble, readAdoption } from './adoption.queries.ts'
import type { Adoption } from './adoption.queries.ts'

/** What is known of a step within a session. `wanted`: what the device has otherwise and is told next, `is_set`: it was; `is_over`: nothing more in this session, because it is done or the device is about to leave. */
type Memory = { step: AdoptionStep | null; wanted: Request | null; is_set: boolean; silent: number; is_over: boolean }
const driver = 'vf105'
/** Answers that may fail to come within a session, and how often a step is set in vain, before it is left alone. */
const [most_silent, most_tries] = [3, 5]
const password_digits = 8
const titles = new Map(configKeys(driver, '').map(one => [one.key, one.title]))
const unanswered = '设备没有应答，设备下次连接时自动再试'
const memories = new WeakMap<Session, Memory>()

/** What a VF105 that is becoming the school's own is asked or told next (chapter 31 §5.7.1); null when nothing is, or when something more urgent is due. Each step is read first: what is right already is passed over, so that whoever was stopped in between goes on. */
export async function nextAdoption(line: Line, session: Session): Promise<Request | null> {
  const memory = memoryOf(session)
  if (memory.is_over || memory.silent >= most_silent) return null
  const adoption = await readAdoption(line.db, line)
  const step = adoption_steps.find(one => one === adoption?.step)
  if (!adoption || !step) {
    memory.is_over = true
    return null
  }
  if (adoption.is_refused || (await urgentIsDue(line.db, line, line.now))) return null
  if (step === 'base') return (await followPassword(line)) ? nextAdoption(line, session) : null
  // A code for which there is nothing in exchange: somebody has to set the device up.
  if (step === 'mqtt' && isTemporary(session) && adoption.secret_sealed === null) return null
  const { wanted } = memory
  memory.step = step
  if (!wanted) return readStep(step)
  memory.is_set = true
  await countTry(line, adoption.tries + 1)
  return wanted
}

/** A device has answered to a step, or has not in time (undefined). Whoever calls sends what is next. */
export async function takeAdoption(line: Line, session: Session, reply: Reply | undefined): Promise<void> {
  const memory = memoryOf(session)
  const { step, wanted, is_set } = memory
  Object.assign(memory, { wanted: null, is_set: false })
  const adoption = await readAdoption(line.db, line)
  if (!adoption || !step || adoption.step !== step || adoption.is_refused) return
  const asked = reply && (wanted ?? (await wantedOf(line, session, { step, adoption, reply })))
  const others = reply && asked && otherFields(step, asked, reply)
  if (!asked || !others) return silence(line, memory)
  if (is_set) return settle(line, session, { step, texts: others.map(inWords) })
  if (others.length === 0 && (step !== 'mqtt' || !isTemporary(session))) return advance(line, driver, step)
  if (adoption.tries >= most_tries) return noteTrouble(line, '设备应答后仍未改用平台的设置', true)
  memory.wanted = asked
}

/** A device names its settings as its protocol does; people know them by the titles of the form. */
function inWords({ field, text = `${field}没有改成平台的设置` }: NonNullable<ReturnType<typeof otherFields>>[number]): string {
  const title = titles.get(field)
  return title === undefined ? text : text.replace(field, `“${title}”`)
}

/** What has been told is taken, or refused with the device's own words. */
async function settle(line: Line, session: Session, { step, texts }: { step: AdoptionStep; texts: readonly string[] }): Promise<void> {
  if (texts.length > 0) return noteTrouble(line, `设备拒绝：${texts.join('；')}`, true)
  // It leaves now: to come again with its own secret, which is the proof that it has it, or to restart.
  memoryOf(session).is_over = step === 'mqtt' || step === 'ntp'
  return step === 'mqtt' ? noteTrouble(line, '新的接入密码已送达，等设备用它重新连接', false) : advance(line, driver, step)
}

async function silence(line: Line, memory: Memory): Promise<void> {
  memory.silent += 1
  if (memory.silent === most_silent) await noteTrouble(line, unanswered, false)
}

/** The settings of a step as this school wants them. The address stays the one by which the device has come: no other is known to lead here. */
async function wantedOf({ app, db, school_id, device_id }: Line, session: Session, { step, adoption, reply }: { step: AdoptionStep; adoption: Adoption; reply: Reply }): Promise<Request | undefined> {
  const held = groupOf(step, reply)
  const desired = await readDesired(db, { school_id, device_id })
  const number = (key: string, usual: number) => Number(desired[key]?.value ?? usual)
  if (!held || (step === 'mqtt' && typeof held.addr !== 'string')) return undefined
  return adoptionSteps({
    addr: String(held.addr), prefix: brokerPort.one(app).prefix, sn: session.client_id, console_password: '',
    secret: adoption.secret_sealed === null ? undefined : openSecret(app.secrets.data_key, school_id, adoption.secret_sealed),
    password_length: number('sys.passwordLength', vf105Driver.limits('').password_length ?? password_digits),
    keeps_strangers: number('sys.strangerImage', 0) === 1, uploads_pictures: number('access.uploadToCloud', 0) === 1,
  })[step]
}

/** The console gets a password that its maker does not know, as a row like any other; it is read back from the receipt. @returns whether the device has it */
async function followPassword(line: Line): Promise<boolean> {
  const { app, db, school_id, device_id, now } = line
  const { data_key } = app.secrets
  const [newest] = await readPasswords(db, line)
  if (!newest || openPassword(data_key, school_id, newest.password_sealed) === factory_console_password) {
    await lockPlan(db, school_id, device_id)
    const password = String(randomInt(10 ** (password_digits - 1), 10 ** password_digits))
    await putPassword(db, data_key, { school_id, device_id }, { password, set_by: null, now })
    return false
  }
  const { state, reason_text } = await passwordState(db, line)
  if (state === 'applied') await advance(line, driver, 'base')
  if (state === 'refused') await noteTrouble(line, `设备拒绝了控制台密码${reason_text === null ? '' : `：${reason_text}`}`, true)
  return state === 'applied'
}

/** A device has come that still shows its one-time code though it has been claimed: it begins now. */
export async function followCode(line: Line, session: Session): Promise<void> {
  if (session.device?.is_temporary) await beginAdoption(line, session.device.driver)
}

/** A VF105 has come: with its code, or for the first time with a secret that somebody has typed into it; either begins (chapter 30 §2.1, 31 §5.7.1). One that was here before this was so begins when somebody says it. */
export async function followArrivalOf(line: Line, session: Session, is_first: boolean): Promise<void> {
  if (is_first && session.device) await beginAdoption(line, session.device.driver)
  else await followCode(line, session)
}

function isTemporary(session: Session): boolean {
  return session.device?.is_temporary === true
}

function memoryOf(session: Session): Memory {
  const memory = memories.get(session) ?? { step: null, wanted: null, is_set: false, silent: 0, is_over: false }
  memories.set(session, memory)
  return memory
}
