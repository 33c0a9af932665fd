/** Where a broker is, as a form asks for it. */
export type BrokerParts = { host: string; port: number; tls: boolean }

const usual_ports = { mqtt: 1883, mqtts: 8883 } as const
const most_port = 65_535
const address = /^(mqtts?):\/\/([^:/\s]+)(?::(\d{1,5}))?\/?$/u

/** The parts of `mqtt://host:port` or `mqtts://host:port`; undefined when it is neither. */
export function brokerParts(text: string): BrokerParts | undefined {
  const [, scheme, host, port] = address.exec(text) ?? []
  if ((scheme !== 'mqtt' && scheme !== 'mqtts') || host === undefined) return undefined
  const number = port === undefined ? usual_ports[scheme] : Number(port)
  return number >= 1 && number <= most_port ? { host, port: number, tls: scheme === 'mqtts' } : undefined
}

/** The address of a broker by its parts. */
export function brokerAddress({ host, port, tls }: BrokerParts): string {
  return `${tls ? 'mqtts' : 'mqtt'}://${host}:${port}`
}
