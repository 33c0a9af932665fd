import { readFileSync, statfsSync } from 'node:fs'
import { cpus, freemem, totalmem } from 'node:os'
import type { Vitals } from '../jdev/options.ts'

const [percent, mega, milli] = [100, 1024 * 1024, 1000]
const thermal = '/sys/class/thermal/thermal_zone0/temp'
let before = busyOf()
let cpu = 0

/** How the machine is on which a virtual terminal runs: its processor since the last question, its memory, its disk, and its temperature where it tells. */
export function hostVitals(): Vitals & { disk_total: number } {
  const now = busyOf()
  if (now.all > before.all) cpu = Math.round(((now.busy - before.busy) / (now.all - before.all)) * percent)
  before = now
  const { bsize, blocks, bavail } = statfsSync('.')
  const temp = temperature()
  return { cpu, mem: Math.round((1 - freemem() / totalmem()) * percent), disk: Math.round((bavail * bsize) / mega), disk_total: Math.round((blocks * bsize) / mega), ...(temp === undefined ? {} : { temp }) }
}

function busyOf(): { busy: number; all: number } {
  const times = cpus().map(one => one.times)
  const all = times.reduce((sum, one) => sum + one.user + one.nice + one.sys + one.idle + one.irq, 0)
  return { all, busy: all - times.reduce((sum, one) => sum + one.idle, 0) }
}

function temperature(): number | undefined {
  try {
    return Math.round(Number(readFileSync(thermal, 'utf8')) / milli)
  } catch {
    return undefined
  }
}
