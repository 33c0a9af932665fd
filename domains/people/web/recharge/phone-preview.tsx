import type { RechargeRules } from '@campus/people/contract'
import { channel_names } from '@campus/people/contract'
import type { ReactNode } from 'react'
import { yuanText } from './recharge-words.ts'

/** How the amounts look on the phone of whoever recharges. */
export function PhonePreview({ rules }: { rules: RechargeRules }): ReactNode {
  const { is_open, quick_fen, min_fen, max_fen, channels } = rules
  const [first] = channels
  return (
    <figure className="recharge-phone">
      <figcaption>手机预览</figcaption>
      <div className="recharge-screen">
        <strong>账户充值</strong>
        {!is_open && <p className="recharge-closed">暂未开放充值</p>}
        {is_open && (
          <>
            <ul>{quick_fen.toSorted((one, other) => one - other).map(fen => <li key={fen}>{yuanText(fen)}</li>)}</ul>
            <p className="recharge-range">其他金额：{yuanText(min_fen)} 至 {yuanText(max_fen)}</p>
            <p className="recharge-pay">{first === undefined ? '请选择渠道' : `使用${channel_names[first]}支付`}</p>
          </>
        )}
      </div>
    </figure>
  )
}
