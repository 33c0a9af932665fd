import type { AdoptionTitle } from '@campus/devices/contract'
import type { App } from '@kit/server/http'
import { adoption_steps } from '@kit/terminal-protocol/vf105'
import { replaceCode } from '../client.queries.ts'
import type { Db } from '../db.ts'
import { tellDevices } from '../device.watch.ts'
import { sealSecret } from '../sealed-parts.ts'

type Of = { school_id: number; device_id: string }
type Desk = Of & { app: App; db: Db; now: Date }

/** The step of a device that has none left. */
const all_done = 'done'
/** How far a device has come. `step`: the first that is not done; `tries`: how often that was set in vain; `note`: what stands in its way; `secret_sealed`: what it is to be given, until it has come in with it. */
export type Adoption = { step: string; tries: number; note: string | null; is_refused: boolean; secret_sealed: Buffer | null; begun_at: Date; done_at: Date | null }

/** What is done at a device of a driver, in its order. */
export function stepsOf(driver: string): readonly AdoptionTitle[] {
  if (driver === 'vf105') return adoption_steps
  return driver === 'jdev' ? ['secret'] : []
}

/** A Mosquitto knows the secrets of its password file alone: one that is replaced by itself would lock its device out. */
export function judgesLogins({ config }: App): boolean {
  return config.CAMPUS_MQTT_URL === '' || config.CAMPUS_MQTT_HOOK_SECRET !== ''
}

export async function readAdoption(db: Db, { school_id, device_id }: Of): Promise<Adoption | undefined> {
  return db.selectFrom('device_adoption').select(['step', 'tries', 'note', 'is_refused', 'secret_sealed', 'begun_at', 'done_at']).where('school_id', '=', school_id).where('device_id', '=', device_id).executeTakeFirst()
}

/** Begins to make a device the school's own: one that has come in with a one-time code gets a secret in its place, any other one keeps its secret. A device that has begun goes on. */
export async function beginAdoption({ app, db, school_id, device_id, now }: Desk, driver: string): Promise<void> {
  const [step] = stepsOf(driver)
  if (step === undefined || (await readAdoption(db, { school_id, device_id }))) return
  const secret = judgesLogins(app) ? await replaceCode(db, { school_id, device_id }, now) : undefined
  const secret_sealed = secret === undefined ? null : sealSecret(app.secrets.data_key, school_id, secret)
  await db.insertInto('device_adoption').values({ school_id, device_id, step, secret_sealed, begun_at: now }).onConflict(conflict => conflict.doNothing()).execute()
}

/** A step is done: the next one, or none. */
export async function advance({ db, school_id, device_id, now }: Omit<Desk, 'app'>, driver: string, done: string): Promise<void> {
  const steps = stepsOf(driver)
  const step = steps[steps.findIndex(one => one === done) + 1] ?? all_done
  // Whoever has done the step that brings a secret has come in with it.
  await write({ db, school_id, device_id }, { step, tries: 0, note: null, is_refused: false, secret_sealed: null, done_at: step === all_done ? now : null })
}

/** Notes what stands in the way of the step that is next. `is_refused`: it is not tried again by itself. */
export function noteTrouble(of: Omit<Desk, 'app' | 'now'>, note: string, is_refused: boolean): Promise<void> {
  return write(of, { note: note.slice(0, 300), is_refused })
}

/** A step goes out once more. */
export function countTry({ db, school_id, device_id }: Omit<Desk, 'app' | 'now'>, tries: number): Promise<unknown> {
  return db.updateTable('device_adoption').set({ tries }).where('school_id', '=', school_id).where('device_id', '=', device_id).execute()
}

/** What was refused is tried again. */
export function tryAgain(of: Omit<Desk, 'app' | 'now'>): Promise<void> {
  return write(of, { tries: 0, note: null, is_refused: false })
}

/** Somebody gives the device a secret by hand: it is brought none by itself. */
export async function forgetSecret({ db, school_id, device_id }: Omit<Desk, 'app' | 'now'>): Promise<void> {
  await db.updateTable('device_adoption').set({ secret_sealed: null, tries: 0, note: null, is_refused: false }).where('school_id', '=', school_id).where('device_id', '=', device_id).where('done_at', 'is', null).execute()
}

async function write({ db, school_id, device_id }: Omit<Desk, 'app' | 'now'>, values: Partial<Adoption>): Promise<void> {
  await db.updateTable('device_adoption').set(values).where('school_id', '=', school_id).where('device_id', '=', device_id).execute()
  await tellDevices({ db, school_id }, [device_id], 'state')
}
