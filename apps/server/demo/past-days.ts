import { setTimeout as sleep } from 'node:timers/promises'
import { readPastPasses } from '@campus/access/server'
import { sealDue } from '@campus/audit/server'
import { createMetrics, createPasses, hasMetrics, passedParts } from '@campus/devices/server'
import { analyzeGrown } from '@kit/server/db'
import type { Boot } from '@kit/server/http'
import { demo_schools } from './accounts.ts'
import { never_connected } from './odd-devices.ts'
import { addDays } from './school-year.ts'

/** A day of passes is written in so many parts: what else the server does waits for one of them at most. */
const parts = 8
const metric_days = 14
/** Passes of so many of the latest days are read: the pages of who came and went are not empty. */
const read_days = 3
/** So many times as long as a piece took the server has to itself before the next one. */
const usual_rest = 2
const school_zone_ms = 8 * 3_600_000

/** Whether there was school on a day: from Monday to Friday, but not in the week of the national day nor in the holidays of the summer and the winter. */
function isSchoolDay(day: string): boolean {
  const [weekday, date] = [new Date(`${day}T00:00:00Z`).getUTCDay(), day.slice(5)]
  return weekday > 0 && weekday < 6 && !(date >= '10-01' && date <= '10-07') && !(date >= '07-01' && date < '09-01') && !(date >= '01-20' && date < '02-21')
}

/** The last school days until today, the latest first. */
export function schoolDays(today: string, count: number): string[] {
  const days: string[] = []
  for (let day = today; days.length < count; day = addDays(day, -1)) if (isSchoolDay(day)) days.push(day)
  return days
}

/** Seals the journals of the demo schools and begins to write their past when the server is there for whoever asks it, and does not hold it up. */
export function startPast(boot: Boot, count: number): void {
  void sealDue(boot)
    .catch((error: unknown) => boot.app.log.info({ err: error }, 'the journals of the demo school are not sealed yet; they are with all others'))
    .then(() => fillPastDays(boot, count))
    .then(written => (written > 0 ? analyzeGrown(boot.database) : undefined))
    .catch((error: unknown) => boot.app.log.info({ err: error }, 'the past of the demo school is not whole yet; it goes on at the next start'))
}

/**
 * Writes what the doors and devices of the main school have seen on so many school days: half a million rows, so that it is done piece by piece beside everything else when the server has started, the latest day first. Whoever stops the
 * server finds it going on where it was at the next start. Devices go by the real day, whichever the demo's is. @returns how many rows are new
 */
export async function fillPastDays({ app, database }: Boot, count: number, rest = usual_rest): Promise<number> {
  const school_id = demo_schools.main
  const now = app.clock.now()
  const today = new Date(now.getTime() + school_zone_ms).toISOString().slice(0, 10)
  const own = <R>(work: Parameters<typeof database.tenant<unknown, R>>[1]) => database.tenant<unknown, R>(school_id, work)
  let written = 0
  const piece = async (work: Parameters<typeof database.tenant<unknown, number>>[1]) => {
    const begun = performance.now()
    const rows = await own(work)
    written += rows
    if (rows > 0) await sleep((performance.now() - begun) * rest)
    return rows
  }
  for (const [at, day] of schoolDays(today, count).entries()) {
    const done = await own(db => passedParts(db, school_id, day))
    for (let nth = 0; nth < parts; nth += 1) if (!done.has(nth)) await piece(db => createPasses(db, school_id, { day, until: now, part: { nth, of: parts }, except: never_connected }))
    if (at < read_days) while ((await piece(db => readPastPasses({ app, db, school_id, now }, day))) > 0);
    if (at < metric_days) await piece(async db => ((await hasMetrics(db, school_id, addDays(today, -at))) ? 0 : createMetrics(db, school_id, { day: addDays(today, -at), until: now, except: never_connected })))
    app.log.debug({ day, written }, 'a past day of the demo school is there')
  }
  return written
}
