import type { SchoolFace } from './wire.ts'

/** Other ways to sign in that the school has enabled. */
export function Providers({ providers }: { providers: SchoolFace['providers'] | undefined }) {
  if (!providers?.length) return null
  return (
    <nav className="providers" aria-labelledby="providers_title">
      <h2 id="providers_title"><span>其他登录方式</span></h2>
      <ul>
        {providers.map(provider => (
          <li key={`${provider.shape}/${provider.label}`}>
            <a href={provider.start_url}>{provider.label}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
