import type { ReactNode } from 'react'

const section_sizes = [18, 15]

/** A file whose answer is on its way: the grey shape of its sections. */
export function FileSkeleton(): ReactNode {
  return (
    <div className="file-scroll file-skeleton" role="status" aria-label="加载中">
      {section_sizes.map(size => (
        <section key={size}>
          <b />
          {Array.from({ length: size }, (_, at) => (
            <i key={at} />
          ))}
        </section>
      ))}
    </div>
  )
}
