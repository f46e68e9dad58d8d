/* For window.mjs alone: preloaded, it lets WebKitWebDriver drive the unchanged production binary.
 * Wails makes its web view with one constructor; this one stands in its place and makes the same
 * view controllable, when the driver has announced itself through WEBKIT_INSPECTOR_SERVER. */
#include <stdlib.h>
#include <webkit2/webkit2.h>

static WebKitWebView *view;

static WebKitWebView *offer_view(WebKitAutomationSession *session, gpointer unused) {
  (void)session;
  (void)unused;
  return view;
}

static void begin(WebKitWebContext *context, WebKitAutomationSession *session, gpointer unused) {
  (void)context;
  (void)unused;
  WebKitApplicationInfo *info = webkit_application_info_new();
  webkit_application_info_set_name(info, "kandev-desktop");
  webkit_automation_session_set_application_info(session, info);
  webkit_application_info_unref(info);
  g_signal_connect(session, "create-web-view", G_CALLBACK(offer_view), NULL);
}

GtkWidget *webkit_web_view_new_with_user_content_manager(WebKitUserContentManager *manager) {
  gboolean driven = getenv("WEBKIT_INSPECTOR_SERVER") != NULL;
  WebKitWebContext *context = webkit_web_context_get_default();
  if (driven) {
    webkit_web_context_set_automation_allowed(context, TRUE);
    g_signal_connect(context, "automation-started", G_CALLBACK(begin), NULL);
  }
  view = g_object_new(WEBKIT_TYPE_WEB_VIEW, "web-context", context, "user-content-manager", manager,
                      "is-controlled-by-automation", driven, NULL);
  return GTK_WIDGET(view);
}
