/**
 * Gives every style element that scripts make the nonce of the page, because the content security policy lets no other in and some libraries
 * pass none. Elements that come with markup do not get it, which is the point.
 */
export function nonceStyles(settings: string | null | undefined): void {
  const nonce = nonceOf(settings)
  if (nonce === null) return
  document.createElement = new Proxy(document.createElement, {
    apply(create, page, names) {
      const made: unknown = Reflect.apply(create, page, names)
      if (made instanceof HTMLStyleElement) made.nonce = nonce
      return made
    },
  })
}

/** The nonce in the public settings of the page; none while developing. */
function nonceOf(settings: string | null | undefined): string | null {
  const given: unknown = JSON.parse(settings ?? '{}')
  const nonce: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, 'style_nonce') : null
  return typeof nonce === 'string' ? nonce : null
}
