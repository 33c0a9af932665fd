import { useState } from 'react'

/** A school's logo; its first sign stands in while there is none or it does not load. */
export function SchoolLogo({ address, name }: { address: string | null; name: string }) {
  const [broken, setBroken] = useState(false)
  if (!address || broken) return <span className="logo logo-letter" aria-hidden="true">{name.slice(0, 1)}</span>
  return <img className="logo" src={address} alt="" onError={() => setBroken(true)} />
}
