import { brandName } from '../../../../web/brand/brand.ts'
import { html, type Html } from './escaped-html.ts'
import type { KeptMail } from './newest-mails.ts'

/** Renders the whole document: the list, and one open mail beside it. Both are empty before the first mail. */
export function mailboxPage(mails: readonly KeptMail[], openMail: KeptMail | undefined): string {
  const title = openMail ? `${openMail.subject} · Mail` : 'Mail'
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="stylesheet" href="/_dev/mail/style.css" />
      </head>
      <body class="mailbox">
        <header>
          <h1>Mail</h1>
          <p class="hint">What ${brandName} would have sent. It is kept in <code>.mail</code>.</p>
          <nav>
            <a class="button" href="/_dev/mail">Look again</a>
            <a class="button" href="/">Back to ${brandName}</a>
          </nav>
        </header>
        ${openMail ? twoColumns(mails, openMail) : emptyMailbox}
      </body>
    </html>`
  return text
}

const emptyMailbox = html`<main class="letter nothing">
  <h2>No mail yet</h2>
  <p class="lead">
    Register an account, or ask for a new password: the mail is here a moment later.
  </p>
</main>`

function twoColumns(mails: readonly KeptMail[], openMail: KeptMail): Html {
  return html`<div class="columns">
    <nav aria-label="Mails">
      <ul class="mails">
        ${mails.map((mail) => listItem(mail, mail.id === openMail.id))}
      </ul>
    </nav>
    <main class="letter">${mailDetails(openMail)}</main>
  </div>`
}

function listItem({ id, at, subject, envelope }: KeptMail, isOpen: boolean): Html {
  const bcc = new Set(envelope.bcc)
  return html`<li>
    <a href="/_dev/mail/${id}" ${isOpen ? html` aria-current="page"` : undefined}>
      <strong>${subject}</strong>
      <span
        >${envelope.to.map((to) => html`<span>${to}${bcc.has(to) ? ' (Bcc)' : ''}</span> `)}</span
      >
      <time datetime="${at.toISOString()}">${at.toLocaleString('en-GB')}</time>
    </a>
  </li>`
}

function mailDetails(mail: KeptMail): Html {
  const { id, subject, headers, text, files, source } = mail
  return html`<h2>${subject}</h2>
    ${headerTable(mainHeaders(mail))} ${files.length > 0 ? fileList(mail) : undefined}
    ${mail.html === undefined ? undefined : frame(id)}
    ${
      text === undefined
        ? undefined
        : html`<h3>Text</h3>
            <pre>${linkAddresses(text)}</pre>`
    }
    <details>
      <summary>All headers</summary>
      ${headerTable(headers)}
    </details>
    <details>
      <summary>Source</summary>
      <p><a href="/_dev/mail/${id}/source">As it would have been sent</a></p>
      <pre>${source.toString('utf8')}</pre>
    </details>`
}

/** What a reader looks for first, in this order. */
const mainHeaderNames = ['from', 'to', 'cc', 'bcc', 'reply-to', 'date', 'list-unsubscribe']

function mainHeaders({ headers, envelope }: KeptMail): KeptMail['headers'] {
  const allHeaders = [...headers, ...envelope.bcc.map((address) => ['Bcc', address] as const)]
  return mainHeaderNames.flatMap((name) =>
    allHeaders.filter(([header]) => header.toLowerCase() === name),
  )
}

function headerTable(headers: KeptMail['headers']): Html {
  return html`<table class="headers">
    ${headers.map(
      ([name, value]) =>
        html`<tr>
          <th scope="row">${name}</th>
          <td>${value}</td>
        </tr>`,
    )}
  </table>`
}

function fileList({ id, files }: KeptMail): Html {
  const links = files.map(
    ({ name, type, content }, at) =>
      html`<li>
        <a href="/_dev/mail/${id}/files/${at}" download>${name}</a>
        <span class="hint">${type}, ${content.length} bytes</span>
      </li>`,
  )
  return html`<h3>Files</h3>
    <ul>
      ${links}
    </ul>`
}

/** Returns a frame without scripts and external requests, whose links open in a new tab. */
function frame(id: string): Html {
  return html`<h3>HTML</h3>
    <iframe
      title="The mail as HTML"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      src="/_dev/mail/${id}/html"
    ></iframe>`
}

/** Turns web addresses in a text into links. */
function linkAddresses(text: string): Html[] {
  // A full stop after an address belongs to the sentence.
  return text
    .split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/)
    .map((part, at) =>
      at % 2 === 1
        ? html`<a href="${part}" target="_blank" rel="noreferrer">${part}</a>`
        : html`${part}`,
    )
}
