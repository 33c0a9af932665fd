import sanitize from 'sanitize-html'
import type { Tag } from 'sanitize-html'

/** Grows with every change of what is let through, so that stored texts can be told apart (chapter 60 §1.1). */
export const rich_text_version = 1
const most_pictures = 50
const [smallest_px, largest_px] = [12, 32] as const

/** `html`: safe to show as it is, a fixed point of the cleaning. `text`: its words. `file_keys`: files of the school that it shows. */
export type CleanedText = { html: string; text: string; file_keys: string[]; removed_pictures: number }

const color = [/^#[0-9a-f]{3,8}$/i, /^rgba?\([\d\s.,%]+\)$/i, /^[a-z]{3,20}$/i]
const tags = ['p', 'br', 'strong', 'b', 'em', 'i', 'u', 's', 'h2', 'h3', 'ul', 'ol', 'li', 'blockquote', 'a', 'img', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'span', 'hr']

/**
 * The one sanitiser of rich text (chapter 60 rule 23): what is stored is what is served. Pictures are named by the school's own file keys alone; what
 * comes from elsewhere is taken out and counted.
 */
export function cleanRichText(html: string, { school_id }: { school_id: number }): CleanedText {
  const file_keys: string[] = []
  let removed_pictures = 0
  const own_key = new RegExp(`^(?:/material/f/)?(${school_id}/[0-9]{1,18}/[0-9]{8}/[A-Za-z0-9][A-Za-z0-9._-]{0,79})(?:[?#].*)?$`)
  const clean = sanitize(html, {
    allowedTags: tags,
    allowedAttributes: { a: ['href', 'rel', 'target'], img: ['src', 'alt'], td: ['colspan', 'rowspan'], th: ['colspan', 'rowspan'], '*': ['style'] },
    allowedStyles: { '*': { color, 'background-color': color, 'text-align': [/^(?:left|right|center|justify)$/], 'font-size': [fontSize()] } },
    allowedSchemes: ['http', 'https'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'iframe', 'svg', 'math', 'template', 'xmp', 'noembed', 'noframes', 'title'],
    nestingLimit: 60,
    parseStyleAttributes: true,
    transformTags: {
      a: (tagName, { href = '' }): Tag => ({ tagName, attribs: /^https?:\/\//i.test(href) ? { href, rel: 'noopener noreferrer nofollow', target: '_blank' } : {} }),
      img: (tagName, { src = '', alt = '' }): Tag => {
        const key = own_key.exec(src.trim())?.[1]
        if (key === undefined || file_keys.length >= most_pictures) {
          removed_pictures += 1
          return { tagName: 'br', attribs: {} }
        }
        file_keys.push(key)
        return { tagName, attribs: { src: key, alt: alt.slice(0, 100) } }
      },
    },
  })
  const text = sanitize(clean.replaceAll(/<(?:br|\/p|\/h[23]|\/li|\/tr|hr)[^>]*>/g, '$& '), { allowedTags: [], allowedAttributes: {} })
  return { html: clean, text: unescaped(text).replaceAll(/\s+/g, ' ').trim(), file_keys, removed_pictures }
}

/** 12px to 32px. */
function fontSize(): RegExp {
  const sizes = Array.from({ length: largest_px - smallest_px + 1 }, (_, at) => at + smallest_px)
  return new RegExp(`^(?:${sizes.join('|')})px$`)
}

function unescaped(text: string): string {
  const signs: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': '\'' }
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, sign => signs[sign] ?? sign)
}
