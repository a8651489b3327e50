"""The image's definition and its context: what `docker buildx build` needs for every platform that was packaged."""

from files import text, write_tree
from names import ROOT, filled
from output import say

ACCOUNT = "holdpoint:x:65532:65532:Holdpoint:/data:/sbin/nologin\n"


def make(contents, out):
    context = out / "oci"
    if not contents.is_static:
        say(f"{contents.built.target}: an image of this binary does not run, since it is not static")
    tree = context / contents.platform.image
    write_tree(tree, [contents.executable("holdpoint"), *contents.licences("licenses/")])
    write_tree(context / "etc", [text("passwd", ACCOUNT), text("group", "holdpoint:x:65532:\n")])
    # Archives of the context keep no empty folder.
    write_tree(context / "data", [text(".keep", "")])
    (context / "Containerfile").write_text(filled(ROOT / "packaging/oci/Containerfile"))
