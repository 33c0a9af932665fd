import { useState } from 'react'
import type { ReactNode } from 'react'
import { Card } from '../../shell/parts.tsx'
import type { HallPage } from '../page.ts'
import { Tiles } from './tiles.tsx'

const guides: readonly [question: string, answer: string][] = [
  ['看不到想用的应用？', '这里只显示您当前身份可以使用、且学校已经启用的应用。需要其他应用时，请联系学校管理员。'],
  ['孩子不在列表中？', '孩子由学校在学生家长档案中与您的手机号绑定。信息有误时，请联系班主任或学校管理员更正。'],
  ['登录时提示验证码错误？', '验证码两分钟内有效、只能用一次，点击图片可换一张，不区分大小写。'],
  ['忘记密码？', '请联系班主任或学校管理员重置密码，再用新密码登录；首次登录须先修改密码。'],
  ['换了手机或在公用电脑上使用？', '不要勾选“信任本机”，用完后在“我的”中退出登录。'],
]

/** 服务目录: every application with a search, and what people ask. */
export function Catalogue(page: HallPage): ReactNode {
  const [text, setText] = useState('')
  return (
    <>
      <label className="search">
        <span className="hidden">搜索应用</span>
        <input type="search" maxLength={30} placeholder="应用名称或拼音首字母" value={text} onChange={event => setText(event.target.value)} />
      </label>
      <Card title="全部应用"><Tiles {...page} text={text.trim()} own /></Card>
      <Card title="办事指南">
        {guides.map(([question, answer]) => (
          <details key={question} className="guide">
            <summary>{question}</summary>
            <p>{answer}</p>
          </details>
        ))}
      </Card>
    </>
  )
}
