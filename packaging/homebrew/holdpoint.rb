class Holdpoint < Formula
  desc "{{DESCRIPTION}}"
  homepage "{{REPOSITORY}}"
  version "{{VERSION}}"
  license any_of: ["MIT", "Apache-2.0"]
{{DOWNLOADS}}
  def install
    bin.install "holdpoint"
    bash_completion.install "completions/holdpoint.bash" => "holdpoint" if File.exist? "completions/holdpoint.bash"
    fish_completion.install "completions/holdpoint.fish" if File.exist? "completions/holdpoint.fish"
    zsh_completion.install "completions/_holdpoint" if File.exist? "completions/_holdpoint"
    man1.install Dir["man/*.1"]
    doc.install "README.md", "CHANGELOG.md", "THIRD-PARTY-LICENSES.txt"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/holdpoint --version")
    assert_match "approve", shell_output("#{bin}/holdpoint demo --answer approve")
  end
end
