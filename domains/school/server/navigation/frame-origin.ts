const local = /^(localhost|127\.\d+\.\d+\.\d+|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(1[6-9]|2\d|3[01])\.\d+\.\d+|[A-Za-z0-9-]+(\.(lan|local|intranet))?)(:\d+)?$/

/** May this origin show our pages in a frame: https anywhere, plain http only on the local network of an intranet installation. */
export function isFrameOrigin(origin: string, profiles: string): boolean {
  if (origin.startsWith('https://')) return true
  return origin.startsWith('http://') && profiles.split(',').some(name => name.trim() === 'intranet') && local.test(origin.slice('http://'.length))
}
