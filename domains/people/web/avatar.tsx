import { useState } from 'react'
import type { ReactNode } from 'react'

/** A small photo; the first sign of the name when there is none or it cannot be loaded. */
export function Avatar({ name, photo_url }: { name: string; photo_url: string | null }): ReactNode {
  const [broken, setBroken] = useState<string>()
  if (photo_url !== null && photo_url !== broken) {
    return <img className="people-avatar" src={photo_url} alt="" loading="lazy" onError={() => setBroken(photo_url)} />
  }
  return (
    <span className="people-avatar" aria-hidden>
      {[...name][0]}
    </span>
  )
}
