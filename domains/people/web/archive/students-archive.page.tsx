import { archiveFeedApi } from '@campus/people/contract'
import type { ReactNode } from 'react'
import { ArchiveFeed } from './archive-feed.tsx'

/** 学生档案变更记录. */
export default function StudentsArchive(): ReactNode {
  return <ArchiveFeed endpoint={archiveFeedApi.student} need="people.student.view" />
}
