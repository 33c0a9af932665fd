import { book_titles, book_types } from '@campus/people/contract'
import type { BookType } from '@campus/people/contract'
import { Loading, mayDiscard, PageTabs, sentenceOf } from '@kit/web'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { BookEditor } from './book-editor.tsx'
import { useBook } from './use-book.ts'
import './book.css'

/** 通讯录设置: what staff see of each other, what parents see of staff, and numbers for everybody. */
export default function AddrBookSetting(): ReactNode {
  const [type, setType] = useState<BookType>('1')
  const [dirty, setDirty] = useState(false)
  const { data, error, refetch } = useBook(type)
  const open = async (next: BookType) => {
    if (next !== type && (!dirty || (await mayDiscard()))) setType(next)
  }
  return (
    <div className="book-page" data-ready={data ? 'book' : error ? 'failed' : undefined}>
      <PageTabs tabs={book_types.map(key => ({ key, label: book_titles[key] }))} value={type} onChange={key => void open(key)} />
      {!data && error && <LoadFailed text={sentenceOf(error)} again={() => void refetch()} />}
      {!data && !error && <Loading rows={6} />}
      {data && <BookEditor key={type} book={data.book} entries={data.entries} shown={data.shown} onDirty={setDirty} />}
    </div>
  )
}
