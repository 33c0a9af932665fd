import { pass_directions, pass_sources, passApi, whoOf } from '@campus/access/contract'
import type { PassDetail, PassRow } from '@campus/access/contract'
import { AppDrawer, call, dictionaryName, secondText, sentenceOf, toast, useCan } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Descriptions, Image, Timeline } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Key = Pick<PassRow, 'event_date' | 'device_id' | 'device_seq'>
const names = (of: Readonly<Record<string, string>>, code: number) => of[String(code)] ?? ''

/** One pass with its photo and the person's day. */
export function PassDrawer({ of: { event_date, device_id, device_seq }, onClose }: { of: Key; onClose: () => void }): ReactNode {
  const query = useCall(passApi.detail, { event_date, device_id, device_seq })
  return <AppDrawer title="通行详情" size={480} onClose={onClose}><Loaded query={query}>{detail => <Shown detail={detail} />}</Loaded></AppDrawer>
}

function Shown({ detail: { pass, day } }: { detail: PassDetail }): ReactNode {
  const may_look = useCan(passApi.photo)
  const items = [
    ['姓名', `${whoOf(pass)} ${pass.user_no ?? ''}`], ['部门（当时）', pass.dept_name ?? '—'], ['时间', `${secondText(pass.at)}${pass.is_time_sure ? '' : '（时间异常）'}`], ['上传', `${secondText(pass.received_at)} ${names(pass_sources, pass.source)}`],
    ['门', pass.place_name ?? '未绑定场所'], ['设备', pass.device_name ?? '—'], ['方向', names(pass_directions, pass.direction)], ['方式', dictionaryName('VERIFY_MODE', String(pass.verify_mode))], ['结果', dictionaryName('PASS_STATE', String(pass.result))],
    ...(pass.apply_no === null ? [] : [['单号', pass.apply_no], ['被访人', pass.receiver_name ?? '—']]),
  ]
  return (
    <>
      {may_look && <Photos key={pass.pass_key} of={pass} />}
      <Descriptions size="small" column={1} bordered items={items.map(([label = '', text]) => ({ key: label, label, children: text }))} />
      <h3>当天通行</h3>
      <Timeline items={day.map(one => ({ key: one.pass_key, color: one.result === 1 ? 'green' : 'red', content: `${secondText(one.at)} ${one.place_name ?? ''} ${names(pass_directions, one.direction)} ${dictionaryName('PASS_STATE', String(one.result))}` }))} />
    </>
  )
}

/** Every look is logged, so that it is asked for. */
function Photos({ of: { event_date, device_id, device_seq } }: { of: Key }): ReactNode {
  const [photo, setPhoto] = useState<{ captured_url: string | null; portrait_url: string | null } | null>(null)
  const look = () => call(passApi.photo, { event_date, device_id, device_seq }, { quiet: true }).then(setPhoto, (cause: unknown) => toast.warning(sentenceOf(cause)))
  if (photo === null) return <Button onClick={() => void look()}>查看照片</Button>
  return (
    <div className="pass-photos">
      <figure>{photo.captured_url ? <Image width={160} src={photo.captured_url} alt="抓拍照片" /> : <span>设备没有上传抓拍照片</span>}<figcaption>抓拍</figcaption></figure>
      <figure>{photo.portrait_url ? <Image width={160} src={photo.portrait_url} alt="档案照片" /> : <span>档案中没有照片</span>}<figcaption>档案</figcaption></figure>
    </div>
  )
}
