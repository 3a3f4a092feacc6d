#!/usr/bin/python3
"""A browser for WebKitWebDriver: windows with nothing but the page in them, as narrow as a phone's if asked.

MiniBrowser, which comes with WebKitGTK, has a bar that is wider, and does not hand on what consoles tell.
Arguments beside those of the driver: --console FILE, --no-scripts, --no-page-cache.
"""

import argparse

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("--automation", action="store_true")
parser.add_argument("--console", required=True)
parser.add_argument("--no-scripts", action="store_true")
parser.add_argument("--no-page-cache", action="store_true")
asked = parser.parse_args()

# What is said in a page goes to the one who listens, since WebKitGTK hands its consoles to nobody else.
LISTEN = """{
const tell = (...words) => webkit.messageHandlers.console.postMessage(words.join(' '))
for (const level of ['error', 'warn']) {
  const own = console[level]
  console[level] = (...words) => { tell(...words); own.apply(console, words) }
}
addEventListener('error', (event) => tell(event.message ?? `not loaded: ${event.target.src ?? event.target.href}`), true)
addEventListener('unhandledrejection', (event) => tell('unhandled:', event.reason))
addEventListener('securitypolicyviolation', (event) => tell('blocked:', event.effectiveDirective, event.blockedURI), true)
}"""

console = open(asked.console, "a", buffering=1)

store = WebKit2.WebsiteDataManager(is_ephemeral=True)
context = WebKit2.WebContext.new_with_website_data_manager(store)
context.set_automation_allowed(True)


def write(_, said):
    print("page:", " ".join(said.get_js_value().to_string().split()), file=console)


def new_window(*_):
    settings = WebKit2.Settings()
    settings.set_enable_javascript_markup(not asked.no_scripts)
    settings.set_enable_page_cache(not asked.no_page_cache)
    content = WebKit2.UserContentManager()
    content.register_script_message_handler("console")
    content.connect("script-message-received::console", write)
    content.add_script(
        WebKit2.UserScript.new(
            LISTEN,
            WebKit2.UserContentInjectedFrames.ALL_FRAMES,
            WebKit2.UserScriptInjectionTime.START,
            None,
            None,
        )
    )
    view = WebKit2.WebView(
        web_context=context,
        settings=settings,
        user_content_manager=content,
        is_controlled_by_automation=True,
    )
    window = Gtk.Window()
    window.set_default_size(1280, 800)
    window.add(view)
    view.connect("close", lambda _: window.destroy())
    window.show_all()
    return view


def begin(_, session):
    info = WebKit2.ApplicationInfo()
    info.set_name("WebKitGTK")
    info.set_version(
        WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version()
    )
    session.set_application_info(info)
    session.connect("create-web-view", new_window)


context.connect("automation-started", begin)
Gtk.main()
