import type { DemoAccount } from './settings.ts'

type Props = { accounts: readonly DemoAccount[]; onPick: (picked: DemoAccount) => void }

/** Demo profile only: accounts that fill the form. */
export function DemoStrip({ accounts, onPick }: Props) {
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
    </section>
  )
}
