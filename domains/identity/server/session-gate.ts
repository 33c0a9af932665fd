import { Port } from '@kit/server/http'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'

/** A text that somebody has to accept before he goes on; `version` rises with each material change. */
export type GateDocument = { code: string; version: number; title: string }

/** Whose session begins, where and when. */
export type GateVisitor = { app: App; db: QueryExecutorProvider; school_id: number; user_id: string; now: Date }

/** What somebody still has to accept in this school, in the order in which it is shown; nothing lets him through. */
export type SessionGate = (visitor: GateVisitor) => Promise<readonly GateDocument[]>

const sessionGatePort = new Port<SessionGate>('identity.session_gate')

/** Puts a gate before the sessions of the sub-applications (chapter 80 Y1); called once at start, by privacy. */
export function registerSessionGate(app: App, gate: SessionGate): void {
  sessionGatePort.fill(app, gate)
}

/** What all gates still ask of somebody. */
export async function documentsToAccept(visitor: GateVisitor): Promise<GateDocument[]> {
  const asked: GateDocument[] = []
  for (const gate of sessionGatePort.all(visitor.app)) asked.push(...(await gate(visitor)))
  return asked
}
