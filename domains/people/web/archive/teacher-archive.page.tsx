import { archiveFeedApi } from '@campus/people/contract'
import type { ReactNode } from 'react'
import { ArchiveFeed } from './archive-feed.tsx'

/** 教职工档案变更记录. */
export default function TeacherArchive(): ReactNode {
  return <ArchiveFeed endpoint={archiveFeedApi.teacher} need="people.staff.view" />
}
