import { createRegister, sampleEntries } from '@campus/people/server'
import { createHash } from 'node:crypto'
import { demo_seed, toolsOf } from './seed.ts'
import type { Work } from './school-work.ts'

const waiting = 18
const open_days = 30
const day_ms = 86_400_000

/** Open registration: open for pupils with eighteen entries that wait, closed for staff with a message (chapter 20 §8). */
export async function fillRegister({ app, db, school_id, school_year, now }: Work): Promise<void> {
  await createRegister(db, app.secrets, school_id, {
    register_key: createHash('sha256').update(`${demo_seed}:register`).digest('hex').slice(0, 32),
    end_time: new Date(now.getTime() + open_days * day_ms),
    teacher_register_msg: '教职工信息登记已结束，如需补登请联系人事处',
    entries: sampleEntries(toolsOf('register'), { count: waiting, year: school_year, now }),
  })
}
