import { Port } from '../http/index.ts'
import type { App } from '../http/index.ts'
import type { Bound } from './packet-meter.ts'

export type Transport = 'ws' | 'tcp'

/** What somebody shows at the door. */
export type Credentials = { client_id: string; username: string; password: string; address: string; transport: Transport }

/** Who ended a connection: the client or its line, the broker for a reason, or the server because it stops. */
export type Ended = 'left' | 'kicked' | 'closing'

/** Filters a client may publish to and subscribe to; nothing else, literally by its id (chapter 31 §1.4). */
export type Grants = { publish: readonly string[]; subscribe: readonly string[] }

/**
 * One kind of client of the broker (browser, device, …): which ids are its, by which way they come, who they are and what they may. The broker
 * itself knows none.
 */
export type ClientKind = {
  kind: string
  owns(client_id: string): boolean
  transports: readonly Transport[]
  bound: Bound
  /** may a connection leave a last will? Its topic is judged like any other. */
  may_will: boolean
  grants(prefix: string, client_id: string): Grants
  /** Whether these are the client's own credentials; good ones also take over an older connection of the same id, whose end `gone` does not tell. With a wrong one nothing changes for whoever holds the id. */
  admit(credentials: Credentials): Promise<boolean>
  /** the client hears a topic of its own from now on */
  subscribed(client_id: string, filter: string): void
  heard(client_id: string, topic: string, payload: Buffer): Promise<void>
  /** nobody is connected under that id any more */
  gone(client_id: string, ended: Ended): void
  /** where CAMPUS_MQTT_URL names another broker such clients come there, and not to ours */
  outside?: OutsideWays
}

/** How clients are served at a broker that judges them itself and tells us only what they say. */
export type OutsideWays = {
  /** what they say, below the prefix and their id */
  filters: readonly string[]
  /** Somebody speaks whom the broker has let in under that id. @returns whether the product knows him */
  arrive(client_id: string): Promise<boolean>
  isWill(prefix: string, client_id: string, topic: string): boolean
  /** the broker is there: whoever is connected does not come anew, and has to be asked */
  up(): Promise<void>
  /** the broker is gone, and with it everything known of who is there */
  down(): void
}

/** Filled by whoever has clients. */
export const clientKindPort = new Port<ClientKind>('mqtt.client_kind')

/** The kinds whose clients come to the broker of this server. */
export function kindsHere(app: App): ClientKind[] {
  return clientKindPort.all(app).filter(kind => app.config.CAMPUS_MQTT_URL === '' || !kind.outside)
}
