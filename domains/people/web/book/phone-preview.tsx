import type { Book, ShownGroup } from '@campus/people/contract'
import type { ReactNode } from 'react'

const titles: Readonly<Record<Book['type'], string>> = { '1': '教职工通讯录', '2': '老师电话', '3': '常用电话' }

/** The book on a reader's phone. Numbers stand masked here also where readers see them whole. */
export function PhonePreview({ book, shown, dirty }: { book: Book; shown: readonly ShownGroup[]; dirty: boolean }): ReactNode {
  return (
    <section className="book-phone" aria-label="手机预览">
      <header>{titles[book.type]}</header>
      {!book.is_open && <p className="book-note">未开放，读者看不到这个通讯录</p>}
      {dirty && <p className="book-note">有未保存的修改，保存后更新预览</p>}
      {shown.length === 0 && <p className="book-none">还没有内容</p>}
      {shown.map(({ title, people, more }, at) => (
        <div key={at} className="book-group">
          <h3>{title}</h3>
          <ul>
            {people.map(({ name, post, phone }, place) => (
              <li key={place}><span><b>{name}</b>{post !== '' && <small> {post}</small>}</span>{phone !== null && <span className="book-number">{phone}</span>}</li>
            ))}
          </ul>
          {more > 0 && <p className="book-none">还有{more}人</p>}
        </div>
      ))}
      {book.show_mobile === 'full' && book.type !== '3' && <footer>读者看到完整号码；此处为保护隐私显示部分号码</footer>}
    </section>
  )
}
