import { real_clock } from '../clock.ts'
import type { JdevTerminal } from '../jdev/terminal.ts'
import { openConsole } from './console.ts'
import { Desk } from './desk.ts'
import { openFace } from './face.ts'

/** First ports of consoles and of screens; the next terminal of a fleet has the next one. */
const usual_ports: Readonly<Record<string, number>> = { '--console': 8080, '--ui': 8090 }
const most_desks = 10

type Wanted = { console_port: number | undefined; face_port: number | undefined; is_exposed: boolean }

/** Opens the consoles and the screens of the first terminals of our own protocol and prints where they are; other hardware has its maker's. A port that is taken is said and left. */
export async function openDesks(terminals: readonly JdevTerminal[], { console_port, face_port, is_exposed }: Wanted): Promise<void> {
  if (console_port === undefined && face_port === undefined) return
  if (terminals.length === 0) process.stderr.write('--console and --ui are for terminals of the driver jdev\n')
  for (const [at, terminal] of terminals.slice(0, most_desks).entries()) {
    const desk = new Desk(terminal, real_clock)
    for (const [name, first, open] of [['console', console_port, openConsole], ['screen', face_port, openFace]] as const) {
      if (first === undefined) continue
      await open(desk, { port: first === 0 ? 0 : first + at, is_exposed }).then(
        ({ url }) => process.stdout.write(`${name} of ${terminal.sn}: ${url}\n`),
        (error: unknown) => process.stderr.write(`${name} of ${terminal.sn}: ${String(error)}\n`),
      )
    }
    if (desk.must_change) process.stdout.write(`password of ${terminal.sn} until it is changed: ${desk.password}\n`)
  }
}

/** `--console` and `--ui` alone stand for their usual ports. */
export function withPorts(args: readonly string[]): string[] {
  return args.flatMap((arg, at) => {
    const port = usual_ports[arg]
    return port === undefined || /^\d+$/u.test(args[at + 1] ?? '') ? [arg] : [arg, String(port)]
  })
}
