const INSIDE = /^(10\.|127\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|::1$|f[cd]|fe80:|::ffff:(10\.|127\.|192\.168\.))/i

/** 校内 for private and loopback addresses, 校外 for all others. */
export function placeOf(ip: string): '校内' | '校外' {
  return INSIDE.test(ip) ? '校内' : '校外'
}
