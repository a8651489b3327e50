# Installs {{NAME}} {{VERSION}} for you alone: one program, into one folder. It changes no setting and asks for no password.
#
#   HOLDPOINT_INSTALL_DIR    the folder; else $env:CARGO_HOME\bin where that variable is set, else ~\.local\bin
#   HOLDPOINT_DOWNLOAD_URL   where the archives lie, for mirrors
#
# The archive's SHA-256 is in this script, and what differs from it is not installed.
$ErrorActionPreference = 'Stop'

function Install-Holdpoint {
    $base = if ($env:HOLDPOINT_DOWNLOAD_URL) { $env:HOLDPOINT_DOWNLOAD_URL } else { '{{RELEASE}}' }
    # Windows on ARM runs programs for x64.
    $archive = '{{ARCHIVE}}'
    $expected = '{{SHA256}}'
    $folder = if ($env:HOLDPOINT_INSTALL_DIR) { $env:HOLDPOINT_INSTALL_DIR }
    elseif ($env:CARGO_HOME) { Join-Path $env:CARGO_HOME 'bin' }
    else { Join-Path $HOME '.local\bin' }

    $work = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid().ToString())
    New-Item -ItemType Directory -Path $work | Out-Null
    try {
        [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
        $file = Join-Path $work $archive
        Write-Host "{{NAME}}-installer: downloading $base/$archive"
        Invoke-WebRequest -UseBasicParsing -Uri "$base/$archive" -OutFile $file
        $found = (Get-FileHash -Algorithm SHA256 -LiteralPath $file).Hash.ToLowerInvariant()
        if ($found -ne $expected) {
            throw "$archive is not the file that was released: its SHA-256 is $found, and should be $expected. Nothing was installed."
        }
        Expand-Archive -LiteralPath $file -DestinationPath $work
        New-Item -ItemType Directory -Force -Path $folder | Out-Null
        $program = Join-Path $folder '{{NAME}}.exe'
        # A program that runs can be renamed, and not replaced.
        if (Test-Path -LiteralPath $program) {
            $old = "$program.old"
            Remove-Item -Force -ErrorAction SilentlyContinue -LiteralPath $old
            Move-Item -Force -LiteralPath $program -Destination $old
        }
        Copy-Item -LiteralPath (Join-Path $work '{{NAME}}.exe') -Destination $program
        Write-Host "{{NAME}}-installer: installed $(& $program --version) in $folder"
        if (($env:Path -split ';') -notcontains $folder) {
            Write-Host "{{NAME}}-installer: $folder is not in your PATH. Add it in the settings of your account, under environment variables."
        }
        Write-Host '{{NAME}}-installer: see it work: {{NAME}} demo'
    }
    finally {
        Remove-Item -Recurse -Force -LiteralPath $work
    }
}

Install-Holdpoint
