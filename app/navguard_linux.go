//go:build linux && cgo && (production || dev)

package app

/*
#cgo linux pkg-config: gtk+-3.0
#cgo !webkit2_41 pkg-config: webkit2gtk-4.0
#cgo webkit2_41 pkg-config: webkit2gtk-4.1

#include <gtk/gtk.h>
#include <webkit2/webkit2.h>

extern int kandevMayGo(char *uri);
extern int kandevReload(void);

// The page's process has ended. Go says whether to load the page once more.
static void kandev_crashed(WebKitWebView *view, WebKitWebProcessTerminationReason reason, gpointer unused) {
	if (kandevReload()) webkit_web_view_reload(view);
}

// Refuses to load anything that Go does not call our own page, in the window or in a frame.
static gboolean kandev_decide(WebKitWebView *view, WebKitPolicyDecision *decision,
                              WebKitPolicyDecisionType type, gpointer unused) {
	if (type == WEBKIT_POLICY_DECISION_TYPE_RESPONSE) return FALSE;
	WebKitNavigationAction *action = webkit_navigation_policy_decision_get_navigation_action(
		WEBKIT_NAVIGATION_POLICY_DECISION(decision));
	const char *uri = webkit_uri_request_get_uri(webkit_navigation_action_get_request(action));
	if (type == WEBKIT_POLICY_DECISION_TYPE_NAVIGATION_ACTION && uri && kandevMayGo((char *)uri)) return FALSE;
	webkit_policy_decision_ignore(decision);
	return TRUE;
}

typedef struct { char *script; int tries; int found; } kandev_guard;

static void kandev_protect(GtkWidget *widget, gpointer data) {
	kandev_guard *guard = data;
	if (WEBKIT_IS_WEB_VIEW(widget)) {
		WebKitWebView *view = WEBKIT_WEB_VIEW(widget);
		WebKitUserScript *script = webkit_user_script_new(guard->script,
			WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES,
			WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START, NULL, NULL);
		webkit_user_content_manager_add_script(webkit_web_view_get_user_content_manager(view), script);
		webkit_user_script_unref(script);
		g_signal_connect(view, "decide-policy", G_CALLBACK(kandev_decide), NULL);
		g_signal_connect(view, "web-process-terminated", G_CALLBACK(kandev_crashed), NULL);
		guard->found = 1;
	} else if (GTK_IS_CONTAINER(widget)) {
		gtk_container_foreach(GTK_CONTAINER(widget), kandev_protect, guard);
	}
}

// Runs on GTK's thread every 10 ms until the web view exists. Wails shows the window at once, so
// a minute without one means that there will be none.
static gboolean kandev_tick(gpointer data) {
	kandev_guard *guard = data;
	GList *windows = gtk_window_list_toplevels();
	for (GList *window = windows; window; window = window->next) kandev_protect(GTK_WIDGET(window->data), guard);
	g_list_free(windows);
	if (!guard->found && ++guard->tries < 6000) return G_SOURCE_CONTINUE;
	g_free(guard->script);
	g_free(guard);
	return G_SOURCE_REMOVE;
}

static void kandev_guard_start(const char *script) {
	kandev_guard *guard = g_new0(kandev_guard, 1);
	guard->script = g_strdup(script);
	g_timeout_add(10, kandev_tick, guard);
}
*/
import "C"

import (
	_ "embed" // for the script that frames get
	"unsafe"
)

//go:embed frameguard.js
var frameGuard string

// webViewCrashed is set once, before GTK can call back: C calls functions, not closures.
var webViewCrashed = func() bool { return false }

// installNavigationGuard keeps the window and every frame on our own page and hides the bridge to
// Go from frames. Wails has no hook for either, and its own origin check looks at the top page
// only. Call it once, from OnStartup; any goroutine may.
//
// It does not see what happens inside our own page: links are stopped there by the front end, and
// a same-origin frame without sandbox could still reach its parent, so we have none.
//
// crashed is asked when the page's process has ended; true loads the page again.
func installNavigationGuard(crashed func() bool) {
	webViewCrashed = crashed
	script := C.CString(frameGuard)
	defer C.free(unsafe.Pointer(script))
	C.kandev_guard_start(script)
}

//export kandevReload
func kandevReload() C.int {
	if webViewCrashed() {
		return 1
	}
	return 0
}

//export kandevMayGo
func kandevMayGo(uri *C.char) C.int {
	if ownPage(C.GoString(uri), devBuild) {
		return 1
	}
	return 0
}
