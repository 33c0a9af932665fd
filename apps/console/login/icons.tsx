import type { ReactNode } from 'react'

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round">
      {children}
    </svg>
  )
}

export function EyeIcon() {
  return (
    <Icon>
      <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
      <circle cx="12" cy="12" r="3" />
    </Icon>
  )
}

export function EyeOffIcon() {
  return (
    <Icon>
      <path d="M3 9.5c1.6 2.8 4.8 5 9 5s7.4-2.2 9-5M12 14.5v3.3M6.6 13.2l-1.7 2.8M17.4 13.2l1.7 2.8" />
    </Icon>
  )
}

export function TickIcon() {
  return (
    <Icon>
      <path d="m5 12.5 4.5 4.5L19 7.5" />
    </Icon>
  )
}

/** The product's own mark, where no school logo is known. */
export function BrandMark() {
  return (
    <svg className="brand-mark" viewBox="0 0 48 48" aria-hidden="true">
      <rect width="48" height="48" rx="12" fill="#0958d9" />
      <path d="M24 11 7 19l17 8 17-8-17-8Z" fill="#fff" />
      <path d="M13 25v7c0 3 5 5.5 11 5.5S35 35 35 32v-7l-11 5.2L13 25Z" fill="#fff" opacity=".82" />
      <path d="M39 20.5V30" stroke="#ffd666" strokeWidth="2.4" strokeLinecap="round" />
    </svg>
  )
}
