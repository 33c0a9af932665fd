// `npm run bench`: measures the product's figures and fails when a limit is broken. `npm run bench -- list login` takes the named ones only,
// `--quick` less data (nothing is written then). `npm run bench -- timetabling --instances <folder>` is a run of its own:
// bench/timetabling.ts.
import { startCluster } from '../tools/postgres.ts'
import type { Cluster } from '../tools/postgres.ts'
import type { Bench, Figure, Line } from './figure.ts'
import { auditLog } from './figures/audit-log.ts'
import { consoleWeight } from './figures/console-weight.ts'
import { demo } from './figures/demo.ts'
import { departments } from './figures/departments.ts'
import { deviceAttacks } from './figures/device-attacks.ts'
import { deviceBoards } from './figures/device-boards.ts'
import { deviceFaces } from './figures/device-faces.ts'
import { deviceFleet } from './figures/device-fleet.ts'
import { deviceKills } from './figures/device-kills.ts'
import { deviceLists } from './figures/device-lists.ts'
import { deviceReturn } from './figures/device-return.ts'
import { devices } from './figures/devices.ts'
import { exportRoll } from './figures/export.ts'
import { importSheet } from './figures/import-sheet.ts'
import { lighthouse } from './figures/lighthouse.ts'
import { list } from './figures/list.ts'
import { login } from './figures/login.ts'
import { loginRefused } from './figures/login-refused.ts'
import { messageSend } from './figures/message-send.ts'
import { navigations } from './figures/navigations.ts'
import { peer } from './figures/peer.ts'
import { promotion } from './figures/promotion.ts'
import { refusals } from './figures/refusals.ts'
import { restart } from './figures/restart.ts'
import { schools } from './figures/schools.ts'
import { sessionCheck } from './figures/session-check.ts'
import { types } from './figures/types.ts'
import { describeMachine } from './machine.ts'
import { lastWords, stopProducts } from './product.ts'
import { printLines, writeReport } from './report.ts'
import { benchTimetabling } from './timetabling.ts'

const figures: readonly Figure[] = [consoleWeight, lighthouse, list, peer, auditLog, importSheet, refusals, exportRoll, departments, demo, restart, types, schools, login, sessionCheck, messageSend, loginRefused, navigations, promotion, devices, deviceReturn, deviceFaces, deviceLists, deviceFleet, deviceKills, deviceAttacks, deviceBoards]

let cluster: Promise<Cluster> | undefined
process.on('SIGINT', () => void stop(130))
process.on('SIGTERM', () => void stop(143))
process.on('uncaughtException', error => {
  console.error(error)
  void stop(1)
})
process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error)
  return 1
})
await tidy()
// A figure that failed may have left a server of its own open, which would keep this process.
process.exit()

async function main(args: readonly string[]): Promise<number> {
  if (args[0] === 'timetabling') return benchTimetabling(args.slice(1))
  const quick = args.includes('--quick')
  const names = args.filter(arg => arg !== '--quick')
  const unknown = names.filter(name => !figures.some(figure => figure.name === name))
  if (unknown.length > 0) throw new Error(`No such figure: ${unknown.join(', ')}. Figures: ${figures.map(({ name }) => name).join(', ')}.`)
  const chosen = names.length === 0 ? figures : figures.filter(({ name }) => names.includes(name))
  const machine = describeMachine()
  console.log(machine)
  const bench: Bench = { quick, cluster: () => (cluster ??= startCluster()), say: text => console.log(`    ${text}`) }
  const measured = new Map<string, readonly Line[]>()
  for (const figure of chosen) measured.set(figure.name, await measure(figure, bench))
  if (!quick) writeReport(figures, measured, machine)
  const broken = [...measured.values()].flat().filter(({ holds }) => !holds)
  console.log(broken.length === 0 ? '\nEvery limit holds.' : `\nBroken limits: ${broken.map(({ what }) => what).join('; ')}`)
  return broken.length === 0 ? 0 : 1
}

/** A figure that cannot be measured is a broken one; the others go on. */
async function measure(figure: Figure, bench: Bench): Promise<readonly Line[]> {
  console.log(`\n── ${figure.name}: ${figure.title}`)
  const begun = performance.now()
  const lines = await figure.run(bench).catch((error: unknown): Line[] => {
    console.error(error, lastWords())
    return [{ what: `${figure.name} cannot be measured`, result: error instanceof Error ? error.message : String(error), limit: 'measured', holds: false }]
  })
  await stopProducts()
  console.log(printLines(lines))
  console.log(`    ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  return lines
}

async function tidy(): Promise<void> {
  await stopProducts()
  await (await cluster)?.stop()
}

async function stop(code: number): Promise<void> {
  await tidy()
  process.exit(code)
}
