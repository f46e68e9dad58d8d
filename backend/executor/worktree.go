package executor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kandev/backend/agentctl"
)

// Errors of worktrees.
var (
	ErrNoRepository = errors.New("the project's folder is in no git repository with a commit, which a worktree needs")
	ErrDirty        = errors.New("the worktree has changes that are in no commit, or commits that are on no branch")
)

// branchOf is the branch of a session's worktree. An id holds letters, digits
// and "_" only, so it is a name for git and for every file system.
func branchOf(s Spec) string { return "kandev/" + string(s.Session.ID) }

func treeOf(s Spec) string { return filepath.Join(s.Worktrees, string(s.Session.ID)) }

// worktree makes the session's worktree unless it is there, and returns the
// folder in it that stands for the project's.
func worktree(ctx context.Context, s Spec, host agentctl.Host) (string, error) {
	prefix, err := prefixOf(ctx, s, host)
	if err != nil {
		return "", err
	}
	tree := treeOf(s)
	reconnect(ctx, s, host)
	if err := removeHalf(ctx, s, host); err != nil {
		return "", err
	}
	if !isFolder(tree) {
		if err := addTree(ctx, s, host); err != nil {
			return "", err
		}
	}
	folder := filepath.Join(tree, filepath.FromSlash(prefix))
	if !isFolder(folder) {
		return "", fmt.Errorf("%w: %s", ErrFolder, folder)
	}
	return folder, nil
}

// prefixOf is where the project lies in its repository, "" at its top.
func prefixOf(ctx context.Context, s Spec, host agentctl.Host) (string, error) {
	if !isFolder(s.Project.Path) {
		return "", fmt.Errorf("%w: %s", ErrFolder, s.Project.Path)
	}
	prefix, err := git(ctx, s, host, s.Project.Path, "rev-parse", "--show-prefix")
	if err == nil {
		_, err = git(ctx, s, host, s.Project.Path, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	}
	if errors.Is(err, ErrGit) && ctx.Err() == nil {
		return "", fmt.Errorf("%w (%w)", ErrNoRepository, err)
	}
	return prefix, err
}

// reconnect lets a worktree that is there find its repository again, after that was
// moved: git writes its whole path into the worktree. What it cannot mend fails
// where git is run in there next.
func reconnect(ctx context.Context, s Spec, host agentctl.Host) {
	if !isFolder(treeOf(s)) {
		return
	}
	if _, err := git(ctx, s, host, treeOf(s), "rev-parse", "--git-dir"); err != nil {
		_, _ = git(ctx, s, host, s.Project.Path, "worktree", "repair", treeOf(s))
	}
}

// addTree makes the worktree on its branch: a new one from what the project has
// checked out, or the one that an earlier worktree of this session left.
func addTree(ctx context.Context, s Spec, host agentctl.Host) error {
	if err := os.MkdirAll(s.Worktrees, 0o700); err != nil {
		return fmt.Errorf("make the folder of worktrees: %w", err)
	}
	if _, err := git(ctx, s, host, s.Project.Path, "worktree", "prune"); err != nil {
		return err
	}
	args := []string{"worktree", "add", "--quiet", "-b", branchOf(s), treeOf(s), "HEAD"}
	if hasBranch(ctx, s, host) {
		args = []string{"worktree", "add", "--quiet", treeOf(s), branchOf(s)}
	}
	_, err := git(ctx, s, host, s.Project.Path, args...)
	return err
}

// unfinished is why git has locked a worktree that it has not made whole yet.
const unfinished = "locked initializing"

// removeHalf removes a worktree of the session that git was killed over: it
// lacks files, and no agent has been in it yet.
func removeHalf(ctx context.Context, s Spec, host agentctl.Host) error {
	real, err := filepath.EvalSymlinks(treeOf(s))
	if err != nil {
		return nil // none is there
	}
	list, err := git(ctx, s, host, s.Project.Path, "worktree", "list", "--porcelain")
	if err != nil {
		return err
	}
	for block := range strings.SplitSeq(list, "\n\n") {
		lines := strings.Split(block, "\n")
		path, ok := strings.CutPrefix(lines[0], "worktree ")
		if ok && filepath.FromSlash(path) == real && slices.Contains(lines, unfinished) {
			_, err := git(ctx, s, host, s.Project.Path, "worktree", "remove", "--force", "--force", treeOf(s))
			return err
		}
	}
	return nil
}

func hasBranch(ctx context.Context, s Spec, host agentctl.Host) bool {
	_, err := git(ctx, s, host, s.Project.Path, "show-ref", "--verify", "--quiet", "refs/heads/"+branchOf(s))
	return err == nil
}

// inspect describes the worktree. With an error, what needs no git to be known is
// true all the same.
func inspect(ctx context.Context, s Spec, host agentctl.Host) (Place, error) {
	gone := Place{Folder: treeOf(s), Branch: branchOf(s), Own: true}
	if !isFolder(gone.Folder) {
		return gone, nil
	}
	p, err := look(ctx, s, host)
	if err != nil {
		reconnect(ctx, s, host)
		p, err = look(ctx, s, host)
	}
	if err != nil && !isFolder(gone.Folder) { // removed meanwhile
		return gone, nil
	}
	return p, err
}

// look describes a worktree that is there.
func look(ctx context.Context, s Spec, host agentctl.Host) (Place, error) {
	p := Place{Folder: treeOf(s), Branch: branchOf(s), Own: true, Exists: true}
	changes, err := git(ctx, s, host, p.Folder, "status", "--porcelain", "--untracked-files=all")
	if err != nil {
		return p, err
	}
	head, err := git(ctx, s, host, p.Folder, "rev-parse", "--verify", "HEAD")
	if err != nil {
		return p, err
	}
	what := head
	if branch, err := git(ctx, s, host, p.Folder, "symbolic-ref", "--quiet", "--short", "HEAD"); err == nil {
		p.Branch, what = branch, branch // the agent may have made one of its own
	} else {
		p.Branch = "(none, at " + head[:min(len(head), 7)] + ")"
	}
	// Commits on no branch are lost with the worktree: an agent may have left its branch, or be amid a rebase.
	loose, err := countCommits(ctx, s, host, p.Folder, "HEAD", "--not", "--branches", "--remotes", "--tags")
	if err != nil {
		return p, err
	}
	p.Dirty = changes != "" || loose > 0
	if p.Commits, err = countCommits(ctx, s, host, s.Project.Path, "HEAD.."+head); err != nil || p.Commits == 0 {
		return p, err
	}
	p.Merge = "git -C " + quote(s.Project.Path) + " merge " + quote(what)
	return p, nil
}

func countCommits(ctx context.Context, s Spec, host agentctl.Host, folder string, which ...string) (n int, err error) {
	count, err := git(ctx, s, host, folder, append([]string{"rev-list", "--count"}, which...)...)
	if err != nil {
		return 0, err
	}
	if _, err := fmt.Sscan(count, &n); err != nil {
		return 0, fmt.Errorf("%w: rev-list answered no number", ErrGit)
	}
	return n, nil
}

// removeTree removes a clean worktree. git itself refuses a dirty one as well:
// it is never forced. A branch with commits of its own stays.
func removeTree(ctx context.Context, s Spec, host agentctl.Host) error {
	p, err := inspect(ctx, s, host)
	switch {
	case err != nil:
		return err
	case !p.Exists:
		return nil
	case p.Dirty:
		return fmt.Errorf("%w: %s", ErrDirty, p.Folder)
	}
	if _, err := git(ctx, s, host, s.Project.Path, "worktree", "remove", p.Folder); err != nil {
		return err
	}
	if p.Commits > 0 || !hasBranch(ctx, s, host) {
		return nil
	}
	// Not forced, so git keeps it where it has commits, as when the agent left it for another one.
	if _, err = git(ctx, s, host, s.Project.Path, "branch", "--delete", "--quiet", branchOf(s)); p.Branch != branchOf(s) {
		return nil
	}
	return err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// quote makes one word of a path, for a shell that the person pastes into.
func quote(path string) string {
	if !strings.ContainsFunc(path, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-:\\", r))
	}) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
