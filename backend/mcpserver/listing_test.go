package mcpserver

import (
	"reflect"
	"testing"

	"kandev/backend/catalog"
)

// What a set costs is counted over the very bytes that a client is served.
func TestListingIsWhatIsServed(t *testing.T) {
	tools := set(t, echo("a_kandev"), echo("b_kandev"))
	_, body, _ := setup(t, tools).init().send("POST", listTools)
	served, err := catalog.Parse([]byte(body), nil)
	if err != nil {
		t.Fatal(err)
	}
	listed, err := catalog.Parse(Listing(tools), nil)
	if err != nil || listed.Len() != 2 || !reflect.DeepEqual(listed.Definitions(), served.Definitions()) {
		t.Errorf("%q %v\nserved %q", listed.Definitions(), err, served.Definitions())
	}
}
