import { id } from '@kit/contract'
import { z } from 'zod'

export const TagId = id('people.tag')
/** Colours of a tag; names of the design system's own palette. */
export const tag_colors = ['blue', 'cyan', 'green', 'gold', 'orange', 'red', 'magenta', 'purple'] as const

/** A tag on a person. */
export const TagMark = z.object({ id: TagId, tag_name: z.string(), color: z.enum(tag_colors) })
export type TagMark = z.output<typeof TagMark>
