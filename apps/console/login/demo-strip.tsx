import type { DemoAccount, PublicSettings } from './settings.ts'

type Props = { accounts: readonly DemoAccount[]; providers: NonNullable<PublicSettings['demo_providers']>; onPick: (picked: DemoAccount) => void }

/** Demo profile only: accounts that fill the form. */
export function DemoStrip({ accounts, providers, onPick }: Props) {
  return (
    <section className="demo" aria-labelledby="demo_title">
      <h2 id="demo_title">演示账号 <small>点击填入登录表单</small></h2>
      <ul>
        {accounts.map(demo => (
          <li key={demo.account}>
            <button type="button" onClick={() => onPick(demo)}>
              <b>{demo.account}</b>
              <span>{demo.note}</span>
            </button>
          </li>
        ))}
      </ul>
      {providers.length > 0 && <p className="demo-links">第三方登录演示：{providers.map(({ label, start_url }) => <a key={start_url} href={start_url}>{label}</a>)}</p>}
    </section>
  )
}
